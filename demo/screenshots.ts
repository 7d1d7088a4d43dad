/**
 * The pictures of the README, from the demo's data: `node demo/screenshots.ts`.
 * Runs the demo, opens its dashboard in Chromium, and writes `docs/images/`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openChromium } from '../test/support/chromium.ts'

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-screenshots-'))
const main = fileURLToPath(new URL('main.ts', import.meta.url))
const demo = spawn(process.execPath, [main, '--data', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = await new Promise<string>((isUp) => {
  let told = ''
  demo.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString()
    const [, address] = /(http:\/\/\S+) stays up/.exec(told) ?? []
    if (address) isUp(address)
  })
})

const browser = await openChromium()
const page = await browser.newPage({
  locale: 'en-GB',
  colorScheme: 'light',
  viewport: { width: 1100, height: 620 },
})
await page.goto(url)
await page.fill('#token', readFileSync(join(folder, 'admin-token'), 'utf8').trim())
await page.keyboard.press('Enter')
await page.waitForURL(`${url}/`)
mkdirSync(IMAGES, { recursive: true })
await page.screenshot({
  path: join(IMAGES, 'overview.png'),
  clip: { x: 0, y: 0, width: 1100, height: 520 },
})
await page.click('.card h2 a')
await page.locator('figure canvas').first().waitFor()
await page.screenshot({
  path: join(IMAGES, 'site.png'),
  clip: { x: 0, y: 0, width: 1100, height: 800 },
  fullPage: true,
})
await browser.close()
demo.kill('SIGINT')
await new Promise((ended) => demo.once('exit', ended))
rmSync(folder, { recursive: true, force: true })
