import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** A real Chromium, out of an npm package: nothing is to be installed for it. */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: sparticuz.args.filter((arg) => !/^--(single-process|disable-web-security)/.test(arg)),
    env: { ...process.env, HOME: mkdtempSync(join(tmpdir(), 'sluice-chromium-')) },
    headless: true,
  })
}
