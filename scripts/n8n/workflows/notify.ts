import type { Canvas } from '../canvas.ts'
import { called, choose, code, hmac, noOp, request, settingsCall, stop } from '../nodes.ts'

const MESSAGE = `
// One message for all that was handed over. A bot takes 20 KB, and a character of Chinese is three bytes.
const LARGEST_BYTES = 15_000
const sizeOf = (char) => (char < '\\u0080' ? 1 : char < '\\u0800' ? 2 : char.length === 1 ? 3 : 4)
const cut = (text) => {
  let left = LARGEST_BYTES
  let kept = ''
  for (const char of text) {
    left -= sizeOf(char)
    if (left < 0) return kept + '…'
    kept += char
  }
  return text
}
const texts = $('Called').all().map(({ json }) => String(json.text))
const fitting = (count) => texts.slice(0, count).join('\\n\\n')
let count = texts.length
while (count > 1 && cut(fitting(count)) !== fitting(count)) count--
const rest = texts.length - count
const text = cut(fitting(count)) + (rest > 0 ? '\\n\\n… and ' + rest + ' more' : '')
const { bot_webhook_url } = $input.first().json
return [{ json: { text, next: bot_webhook_url ? 'sign' : 'nobody', timestamp: String(Math.floor(Date.now() / 1000)) } }]
`

const BODY = `
const { text, timestamp, sign } = $input.first().json
return [{ json: { body: JSON.stringify({ timestamp, sign, msg_type: 'text', content: { text } }) } }]
`

/**
 * Tells a Feishu bot, signed: the key is the time, a line's end and the bot's secret, the text is empty. n8n evaluates
 * expressions in credentials, so the secret stays in one and the time comes from the item.
 */
export const notify: Canvas = {
  id: 'sluice-notify',
  name: 'Sluice · notify',
  publishOrder: 1,
  settings: { executionTimeout: 120 },
  nodes: [
    called({ name: 'Called', at: [0, 0] }),
    settingsCall({ name: 'Settings', at: [1, 0] }),
    code(MESSAGE, { name: 'Message', at: [2, 0] }),
    choose('$json.next', ['sign'], { name: 'Anybody there?', at: [3, 0] }),
    noOp({ name: 'No bot is set', at: [4, 1] }),
    hmac({ name: 'Sign', at: [4, 0] }),
    code(BODY, { name: 'Body', at: [5, 0] }),
    request({
      name: 'Tell',
      at: [6, 0],
      method: 'POST',
      url: "={{ $('Settings').first().json.bot_webhook_url }}",
      body: '={{ $json.body }}',
    }),
    // Like all of Feishu: HTTP 200 says nothing, the code does.
    choose('$json.body?.code', ['0'], { name: 'Told?', at: [7, 0] }),
    noOp({ name: 'Done', at: [8, 0] }),
    stop(
      '=The bot did not take the message: code {{ $json.body?.code }} {{ $json.body?.msg ?? $json.error?.message }}',
      { name: 'Not told', at: [8, 1] },
    ),
  ],
  wires: [
    ['Called', 'Settings'],
    ['Settings', 'Message'],
    ['Message', 'Anybody there?'],
    ['Anybody there?', 'Sign'],
    [['Anybody there?', 1], 'No bot is set'],
    ['Sign', 'Body'],
    ['Body', 'Tell'],
    ['Tell', 'Told?'],
    ['Told?', 'Done'],
    [['Told?', 1], 'Not told'],
  ],
}
