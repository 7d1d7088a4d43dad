import type { Phrase } from '../phrases.ts'
import { COOKIE_STATES, RUN_STATES } from './states.ts'

/** 告警的标题、原因和建议（src/submit/alerts/，src/collect/alerts.ts），以及接收者的回应（src/alerts/）。 */
export const ALERT_PHRASES: readonly Phrase[] = [
  ['{text}: {n} % of the submissions failed', '{text}：{n}% 的提交失败'],
  ['{n} of {n2} submissions failed ({list}).', '{n2} 次提交中 {n} 次失败（{list}）。'],
  [
    'GET /api/runs/{id} shows each error. Check that the key file of {host} answers 200 and holds exactly the key. What failed goes first in the next run.',
    '这次运行的页面列出了每个错误（GET /api/runs/{id}）。请确认 {host} 的密钥文件返回 200，且内容与密钥完全一致。失败的网址在下次运行时最先提交。',
  ],
  ['{text}: the sitemap is empty', '{text}：站点地图是空的'],
  [
    '{url} was read to its end and lists no page of the site.',
    '{url} 已完整读取，其中没有本站的页面。',
  ],
  [
    "Open it in a browser. Check that it is generated, and that its addresses are those of the site's own host; or set the site's sitemapUrl anew.",
    '请用浏览器打开，确认它已生成，且其中的网址属于本站主机；或重新设置站点地图地址。',
  ],
  ['{text}: the IndexNow key stays unverified', '{text}：IndexNow 密钥一直没有通过验证'],
  [
    'For {n} runs {list} took addresses but could not verify the key (HTTP 202).',
    '连续 {n} 次运行，{list} 收下了网址，却无法验证密钥（HTTP 202）。',
  ],
  [
    'Open the key file of {host} in a browser: it must answer 200 without a redirect, and hold exactly the key. The warnings in GET {path} say what was wrong with it.',
    '请用浏览器打开 {host} 的密钥文件：必须返回 200、没有跳转，且内容与密钥完全一致。运行页面的警告写明了问题（GET {path}）。',
  ],
  ['{text}: Bing refuses the API key', '{text}：Bing 不接受 API 密钥'],
  [
    "Check in Bing Webmaster Tools that {host} is a verified site of the account, make a new key there (Settings, API access) and set it as the site's bingApiKey. Until then nothing is sent to Bing; IndexNow goes on.",
    '请在 Bing Webmaster Tools 中确认 {host} 是账户中已验证的站点，在那里生成新密钥（设置 → API 访问），并填入“Bing API 密钥”。在此之前不向 Bing 提交；IndexNow 照常。',
  ],
  ['{text}: no successful run for {n} hours', '{text}：{n} 小时没有成功的运行'],
  ['The last success was on {when}.', '最近一次成功在 {when}。'],
  ['There was none yet.', '至今没有成功的运行。'],
  ['The last run, of {when}, ended as {said}.', '最近一次运行（{when}）的结果：{said}。'],
  ...Object.entries(RUN_STATES),
  ['It was never run.', '从未运行过。'],
  [
    'Check that the server runs at the hour of CRON_SCHEDULE; GET {path} shows what its runs met. Switch the site off if it is not to be submitted.',
    '请确认服务器在 CRON_SCHEDULE 指定的时刻正在运行；运行页面写明了遇到的问题（GET {path}）。不再提交的站点请暂停。',
  ],

  ['{platform}: no cookie is active', '{platform}：没有可用的 Cookie'],
  [
    'Log in with a browser and add its cookie (sluice cookies add), or reactivate one that is good again.',
    '请用浏览器登录并添加其 Cookie（sluice cookies add），或重新启用已恢复的 Cookie。',
  ],
  [
    '{platform}: every active cookie has reached its daily limit',
    '{platform}：可用的 Cookie 都已用满当日次数',
  ],
  [
    'Add another cookie (sluice cookies add), or wait: the counts begin anew at 00:00 UTC.',
    '请再添加一个 Cookie（sluice cookies add），或等待：00:00 UTC 重新计数。',
  ],
  ['There is no cookie at all.', '一个 Cookie 都没有。'],
  ['Of {n}: {list}.', '共 {n} 个：{list}。'],
  ...Object.entries(COOKIE_STATES).flatMap(([status, chinese]): Phrase[] => [
    [`{n} ${status}`, `${chinese} {n}`],
    [`{n} ${status} and used up`, `${chinese}但已用满 {n}`],
  ]),
  ['Only {n} % of the notes could be collected', '只有 {n}% 的笔记采集成功'],
  ['{n} of {n2} failed within 10 minutes.', '10 分钟内 {n2} 条中 {n} 条失败。'],
  [
    'GET /v1/candidates?status=failed shows the codes; look at the cookies, or collect more slowly.',
    '采集页面列出了失败的代码（GET /v1/candidates?status=failed）；请检查 Cookie，或放慢采集。',
  ],
  ['{n} candidates are waiting', '{n} 个候选在等待'],
  [
    'More notes are found than are collected, or nobody collects.',
    '发现的笔记多于采集的，或没有在采集。',
  ],
  [
    'Look whether executions run (GET /v1/executions); collect more often, or find fewer notes.',
    '请查看是否有执行在运行（GET /v1/executions）；请增加采集次数，或减少发现的笔记。',
  ],

  ['{host} answered {n}. {+next}', '{host} 返回 {n}。{+next}'],
  ['{host} answered {n} ({text}). {+next}', '{host} 返回 {n}，“{text}”。{+next}'],
  ['It is asked more slowly.', '会放慢发送。'],
  ['It is tried again later.', '稍后会再试。'],
  ['Give the address it redirects to.', '请填写跳转后的地址。'],
  [
    'Check that the webhook still exists and that its address is whole.',
    '请确认 webhook 仍然存在，地址完整。',
  ],
  [
    "{host} answered 200 with something that is no answer of a bot. Check the bot's address, its signing secret (after the #) and its keywords.",
    '{host} 返回 200，但那不是机器人的回应。请检查机器人的地址、签名密钥（# 之后）和关键词。',
  ],
  [
    "{host} answered 200 with code {n}. Check the bot's address, its signing secret (after the #) and its keywords.",
    '{host} 返回 200，代码 {n}。请检查机器人的地址、签名密钥（# 之后）和关键词。',
  ],
  [
    "{host} answered 200 with code {n}: {text}. Check the bot's address, its signing secret (after the #) and its keywords.",
    '{host} 返回 200，代码 {n}，“{text}”。请检查机器人的地址、签名密钥（# 之后）和关键词。',
  ],
]
