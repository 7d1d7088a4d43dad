import type { Phrase } from '../phrases.ts'

/** 有回应时在冒号之后，没有回应时自成一句。 */
const insideAndAlone = ([english = '', chinese = '']: readonly string[]): Phrase[] => [
  [english, chinese],
  [`${english.charAt(0).toUpperCase()}${english.slice(1)}`, chinese],
]

/** 搜索引擎的回应及其含义（src/submit/channels/）。引擎自己的话放在引号里。 */
export const ENGINE_PHRASES: readonly Phrase[] = [
  [
    '{engine} answered {n}: it takes the request for malformed. Look at the URLs that were rejected: the log names them.',
    '{engine} 返回 {n}：认为请求格式有误。请查看被拒绝的网址，日志中有列出。',
  ],
  [
    '{engine} answered {n}: the request was too long for it. Look at the URLs that were rejected: the log names them.',
    '{engine} 返回 {n}：请求过长。请查看被拒绝的网址，日志中有列出。',
  ],
  [
    "{engine} answered {n}: a URL is not on the site's host or not covered by the key file {file}. Check the sitemap's URLs and the key's location.",
    '{engine} 返回 {n}：有网址不在本站主机上，或密钥文件 {file} 不覆盖它。请检查站点地图的网址和密钥文件的位置。',
  ],
  [
    '{engine} answered {n}: it has not finished checking the key yet. Nothing to do; the next run sends again.',
    '{engine} 返回 {n}：密钥还在验证中。无需处理，下次运行会再次提交。',
  ],
  [
    '{engine} answered {n}: it does not accept the key. Open {file}: it must show exactly the key, without a redirect. If it does, make a new key.',
    '{engine} 返回 {n}：不接受密钥。请打开 {file}：必须只显示密钥本身，且没有跳转。若已是如此，请换一个新密钥。',
  ],
  [
    '{engine} answered {n} ({code}): it does not accept the key. Open {file}: it must show exactly the key, without a redirect. If it does, make a new key.',
    '{engine} 返回 {n}（“{code}”）：不接受密钥。请打开 {file}：必须只显示密钥本身，且没有跳转。若已是如此，请换一个新密钥。',
  ],
  [
    '{engine} answered {n}: too many requests from this address. The rest waits for the next run; send fewer or use submitMode "post".',
    '{engine} 返回 {n}：来自本地址的请求过多。其余的等下次运行；请减少提交，或把提交方式（submitMode）设为 post。',
  ],
  [
    '{engine} answered {n}: it has a problem of its own. The next run sends again.',
    '{engine} 返回 {n}：引擎自身有故障。下次运行会再次提交。',
  ],
  [
    "{engine} answered {n}, which no IndexNow endpoint does. Check the engine's address.",
    '{engine} 返回 {n}，IndexNow 端点不会这样回应。请检查引擎地址。',
  ],
  [
    "{engine} rejected every URL it got, so it is hardly the URLs that are wrong. Check that the site's host, its key and the key file belong together; the next run sends again.",
    '{engine} 拒绝了收到的每一个网址，问题多半不在网址。请确认站点主机、密钥和密钥文件相符；下次运行会再次提交。',
  ],

  [
    'The key file {file} could not be read: {+why} Engines refuse submissions until it holds exactly the key: open it in a browser to see.',
    '无法读取密钥文件 {file}。{+why}文件内容与密钥完全一致之前，引擎会拒绝提交：请用浏览器打开查看。',
  ],
  [
    'The key file {file} answers with a redirect ({n}). Engines refuse submissions until it holds exactly the key: open it in a browser to see.',
    '密钥文件 {file} 会跳转（{n}）。文件内容与密钥完全一致之前，引擎会拒绝提交：请用浏览器打开查看。',
  ],
  [
    'The key file {file} answers {n}. Engines refuse submissions until it holds exactly the key: open it in a browser to see.',
    '密钥文件 {file} 返回 {n}。文件内容与密钥完全一致之前，引擎会拒绝提交：请用浏览器打开查看。',
  ],
  [
    'The key file {file} holds a web page instead of the key. Engines refuse submissions until it holds exactly the key: open it in a browser to see.',
    '密钥文件 {file} 是网页，而不是密钥。文件内容与密钥完全一致之前，引擎会拒绝提交：请用浏览器打开查看。',
  ],
  [
    'The key file {file} holds something else than the key. Engines refuse submissions until it holds exactly the key: open it in a browser to see.',
    '密钥文件 {file} 的内容不是密钥。文件内容与密钥完全一致之前，引擎会拒绝提交：请用浏览器打开查看。',
  ],

  ['Bing answered {n}: {+why}', 'Bing 返回 {n}：{+why}'],
  ['Bing answered {n} "{said}": {+why}', 'Bing 返回 {n}，“{said}”：{+why}'],
  ['Bing answered {n}, ErrorCode {code}: {+why}', 'Bing 返回 {n}，ErrorCode {code}：{+why}'],
  [
    'Bing answered {n}, ErrorCode {code} "{said}": {+why}',
    'Bing 返回 {n}，ErrorCode {code}，“{said}”：{+why}',
  ],
  [
    'the API key is not valid. Bing is switched off until the key changes: copy it anew from Bing Webmaster Tools (Settings, API access) into bingApiKey.',
    'API 密钥无效。更换密钥之前停用 Bing；请从 Bing Webmaster Tools（设置 → API 访问）重新复制到“Bing API 密钥”。',
  ],
  [
    'the site is not in the account of this API key. Bing is switched off for the site until the account lists it or the key changes: add and verify the site in Bing Webmaster Tools.',
    '站点不在该密钥的账户中。在账户中添加站点或更换密钥之前，本站停用 Bing；请在 Bing Webmaster Tools 中添加并验证站点。',
  ],
  ["the day's quota is used up. The rest goes on tomorrow.", '当日配额已用完。其余的明天继续。'],
  [
    'less of the quota is left than was counted here. What fits is sent again.',
    '剩余配额比本地记录的少。配额之内的会再次提交。',
  ],
  [
    'the account made too many calls. Every site with this API key leaves Bing alone for over an hour; nothing to do.',
    '账户调用次数过多。使用该密钥的站点一个多小时内都不再访问 Bing；无需处理。',
  ],
  [
    'the account is blocked. Look for a message in Bing Webmaster Tools; Bing is asked again in over an hour.',
    '账户被封禁。请到 Bing Webmaster Tools 查看消息；一个多小时后会再次访问 Bing。',
  ],
  [
    'too many requests, also after waiting. The next run sends again.',
    '请求过多，等待后仍是如此。下次运行会再次提交。',
  ],
  [
    'it does not take some of the URLs. They are skipped until their lastmod changes; check that they belong to the site.',
    '不接受其中一些网址。在 lastmod 变更之前会略过它们；请确认它们属于本站。',
  ],
  ['it has a problem of its own. The next run sends again.', '它自身有故障。下次运行会再次提交。'],
  ...[
    [
      'whether the URLs were taken is not known. The next run sends them again.',
      '不清楚网址是否已被接受。下次运行会再次提交。',
    ],
    ['nothing was sent. The next run sends again.', '没有发出任何内容。下次运行会再次提交。'],
    ['check BING_API_URL.', '请检查 BING_API_URL。'],
    [
      'the run was stopped before the answer. The next run sends again.',
      '运行在得到回应之前已停止。下次运行会再次提交。',
    ],
    [
      'the run was over before its turn came. The next run sends.',
      '还没轮到它，运行就结束了。下次运行会提交。',
    ],
  ].flatMap(insideAndAlone),
  [
    'no known reason. The next run sends again; check BING_API_URL if it stays so.',
    '原因不明。下次运行会再次提交；若一直如此，请检查 BING_API_URL。',
  ],
  ['Nothing was sent.', '没有发出任何内容。'],
  ['the answer broke off', '回应中断'],
  ['the answer is not JSON', '回应不是 JSON'],
  ['the answer does not hold what was asked for', '回应中没有所问的内容'],
  ['Bing is switched off, nothing was sent. {+why}', 'Bing 已停用，没有发出任何内容。{+why}'],
  [
    'Bing is left alone until {when}, nothing was sent. {+why}',
    '{when} 之前不再访问 Bing，没有发出任何内容。{+why}',
  ],
  [
    'Bing did not tell its quota, so {n} is assumed. {+why}',
    'Bing 没有告知配额，按 {n} 计。{+why}',
  ],
  ['Bing quota overrun: {n} of {n2} used on {day}.', 'Bing 配额超支：{day} 已用 {n}，上限 {n2}。'],
  [
    '{site} is not verified. Add and verify it in Bing Webmaster Tools with exactly this address.',
    '{site} 尚未验证。请在 Bing Webmaster Tools 中用完全相同的地址添加并验证。',
  ],
  [
    '{site} is not in the account of this API key. Add and verify it in Bing Webmaster Tools with exactly this address.',
    '{site} 不在该密钥的账户中。请在 Bing Webmaster Tools 中用完全相同的地址添加并验证。',
  ],
  [
    "Today's Bing quota is used up. Nothing to do; it starts anew at 00:00 UTC.",
    '今日 Bing 配额已用完。无需处理，00:00 UTC 重新计算。',
  ],
  ['Bing refuses the key.', 'Bing 不接受密钥。'],
]
