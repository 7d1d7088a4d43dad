import type { Phrase } from '../phrases.ts'

/** 请求没有得到回应（src/core/http.ts），封存的密钥无法打开（src/core/seal.ts）。 */
export const REQUEST_PHRASES: readonly Phrase[] = [
  [
    '{where} is not an http(s) address without name and password. Check the spelling.',
    '{where} 不是可用的 http(s) 地址（不能含用户名和密码）。请检查写法。',
  ],
  [
    '{where} is a private address and was not requested. Set SLUICE_ALLOW_PRIVATE=1 if that is meant.',
    '{where} 是内网地址，没有发出请求。如确有需要，请设置 SLUICE_ALLOW_PRIVATE=1。',
  ],
  [
    '{where} did not finish within {n} ms. Check that it is up, or allow more time.',
    '{where} 没有在 {n} 毫秒内完成响应。请确认它在运行，或放宽时限。',
  ],
  [
    '{where} is larger than {n} bytes and was not read further.',
    '{where} 超过 {n} 字节，没有继续读取。',
  ],
  [
    '{where} still redirects after {n} redirects. Give its final address.',
    '{where} 跳转 {n} 次后仍在跳转。请填写最终地址。',
  ],
  ['The request to {where} was stopped.', '对 {where} 的请求已中止。'],
  [
    '{where} could not be reached ({code}). Check the address and the network.',
    '无法连接 {where}（{code}）。请检查地址和网络。',
  ],
  ['[not a URL]', '（无效网址）'],

  [
    'The stored text is not a sealed secret: it was cut off or written by hand. Set the secret again.',
    '保存的内容不是封存的密文：可能被截断，或是手工写入的。请重新设置。',
  ],
  [
    'The secret is sealed with {text}, which this version does not know. Update Sluice, or set the secret again.',
    '密文用 {text} 封存，本版本无法识别。请更新 Sluice，或重新设置。',
  ],
  [
    'The secret is sealed with the key "{id}", which is not configured. Add {id2}:<that key> to COOKIE_KEYS_OLD, or set the secret again.',
    '密文由主密钥“{id}”封存，但没有配置这把密钥。请把 {id2}:<该密钥> 加入 COOKIE_KEYS_OLD，或重新设置。',
  ],
  [
    'The secret does not open with the key "{id}": it was changed, moved from elsewhere, or the key is another one under the same id. Restore the key, or set the secret again.',
    '主密钥“{id}”无法打开密文：密文被改动或从别处移来，或者密钥换了却沿用同一编号。请恢复原密钥，或重新设置。',
  ],
]
