import { ZH } from '../../src/dashboard/words/zh.ts'

/** Those of our messages that a Chinese page would not say in Chinese, or not wholly. */
export function withoutChinese(messages: readonly string[]): readonly string[] {
  return messages.filter((message) => {
    const said = ZH.message(message)
    return said === undefined || hasEnglish(said)
  })
}

/** Three words in a row: a name of something has fewer. What is quoted or typed into a shell is no sentence of ours. */
export function hasEnglish(chinese: string): boolean {
  const own = chinese
    .replaceAll(/“[^”]*”/g, '')
    .replaceAll(/\b(sluice|timedatectl|printf)( [\w%.>-]+)+/g, '')
    .replaceAll('Bing Webmaster Tools', '')
  return /[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}/.test(own)
}
