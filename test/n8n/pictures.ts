/**
 * The pictures of docs/n8n.md, of the real canvases: `npm run test:n8n` once, for the n8n, then
 * `SLUICE_N8N=~/.cache/sluice/n8n-… node test/n8n/pictures.ts`.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openChromium } from '../support/chromium.ts'
import { makeHome, startN8n, type WorkflowFile } from './n8n-server.ts'

const FROM = 'n8n/workflows'
const TO = 'docs/images'

const workflows = readdirSync(FROM).map(
  (file) => JSON.parse(readFileSync(join(FROM, file), 'utf8')) as WorkflowFile,
)
const home = makeHome(workflows, [])
const n8n = await startN8n({ ...home, workflows: [] })
const browser = await openChromium()
try {
  const context = await browser.newContext({ viewport: { width: 1800, height: 620 } })
  const [name = '', ...value] = n8n.cookie.split('=')
  await context.addCookies([{ name, value: value.join('='), url: n8n.url }])
  const page = await context.newPage()
  mkdirSync(TO, { recursive: true })
  for (const { id } of workflows) {
    await page.goto(`${n8n.url}/workflow/${id}`)
    const canvas = page.locator('.vue-flow').first()
    await page.locator('.vue-flow__node').first().waitFor({ timeout: 90_000 })
    // Fits the whole into view.
    await page.keyboard.press('1')
    await page.waitForTimeout(1_500)
    await canvas.screenshot({ path: join(TO, `n8n-${id.replace('sluice-', '')}.png`) })
  }
} finally {
  await browser.close()
  await n8n.stop()
  home.remove()
}
