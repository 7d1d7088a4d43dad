import type { Phrase } from '../phrases.ts'

/** 诊断关于密钥、robots.txt、引擎和 Bing 的话（src/submit/doctor/）。 */
export const DOCTOR_PHRASES: readonly Phrase[] = [
  ['The check of {said} was stopped.', '检查已中止：{said}。'],
  ['The check of {said} took longer than {n} seconds.', '检查超过 {n} 秒：{said}。'],
  ['the key file', '密钥文件'],
  ['the sitemap', '站点地图'],
  ['the list of engines', '引擎列表'],
  ['the store', '存储'],
  [
    'Run the doctor again; if it stays so, look at the server that is asked.',
    '请再次诊断；若一直如此，请检查被询问的服务器。',
  ],
  ['The check of {said} broke off ({text}).', '检查中断：{said}（“{text}”）。'],
  [
    'This is a bug of Sluice. Report it with this line; the other checks are not touched by it.',
    '这是 Sluice 的缺陷，请附上这一行报告；其他检查不受影响。',
  ],
  ['The site is switched off: the schedule passes it by.', '站点已暂停：定时运行会跳过它。'],
  ['Set enabled to true, unless that is meant.', '若不是有意为之，请恢复站点。'],
  [
    'Set what is named anew with PUT /api/sites/{site}, or set COOKIE_MASTER_KEY to the key with which it was sealed.',
    '请编辑站点，重新填写上述内容（PUT /api/sites/{site}），或把 COOKIE_MASTER_KEY 设为当初封存用的密钥。',
  ],

  [
    'The key {key} is not 8 to 128 characters of A-Z, a-z, 0-9 and -, so its file was not looked for.',
    '密钥 {key} 不是 8 到 128 个字母、数字或 -，因此没有查找它的文件。',
  ],
  [
    'Make a new one: sluice key new --write FOLDER, with the folder that your site serves.',
    '请生成新的：sluice key new --write FOLDER（FOLDER 为网站对外提供的目录）。',
  ],
  ['The key {key} has the right form.', '密钥 {key} 格式正确。'],
  [
    'Put a file with nothing but the key, as plain UTF-8 text, where {url} is; sluice key new --write FOLDER makes one.',
    '请在 {url} 放一个只含密钥的纯文本文件（UTF-8）；sluice key new --write FOLDER 可生成。',
  ],
  ['The key file could not be read. {+why}', '无法读取密钥文件。{+why}'],
  [
    'Open {url} in a browser: engines must reach it from the internet.',
    '请用浏览器打开 {url}：引擎必须能从互联网访问它。',
  ],
  ['The key file answers {n} and redirects to {url}.', '密钥文件返回 {n}，跳转到 {url}。'],
  ['The key file answers {n} and redirects.', '密钥文件返回 {n} 并跳转。'],
  [
    'Serve the file at {url} itself with 200, without a redirect, or use the host it leads to for the sitemap as well.',
    '请让 {url} 直接返回 200，不要跳转；或让站点地图也使用跳转后的主机。',
  ],
  ['The key file answers {n}.', '密钥文件返回 {n}。'],
  ["Look at the server's log; {url} must answer 200.", '请查看服务器日志；{url} 必须返回 200。'],
  [
    'Let everybody read {url}: a firewall or a login stands before it.',
    '请允许所有人读取 {url}：它被防火墙或登录拦住了。',
  ],
  ['The key file is a web page instead of the key.', '密钥文件是网页，而不是密钥。'],
  [
    "Exclude {url} from the rule that answers every address with the app's page.",
    '请把 {url} 从“所有地址都返回应用页面”的规则中排除。',
  ],
  ['The key file is empty.', '密钥文件是空的。'],
  ['The key file holds something else than the key.', '密钥文件的内容不是密钥。'],
  ['The key file begins with a byte order mark.', '密钥文件以字节顺序标记（BOM）开头。'],
  [
    'Save the file as UTF-8 without a byte order mark (BOM).',
    '请把文件保存为不带字节顺序标记（BOM）的 UTF-8。',
  ],
  ['The key file has white space around the key.', '密钥文件中，密钥前后有空白。'],
  [
    'Save the file without a line break at its end: printf %s KEY > KEY.txt',
    '保存文件时末尾不要换行：printf %s KEY > KEY.txt',
  ],
  [
    'The key file is served without a content type, not as text/plain.',
    '密钥文件没有内容类型，应为 text/plain。',
  ],
  [
    'The key file is served as {type}, not as text/plain.',
    '密钥文件的内容类型是 {type}，应为 text/plain。',
  ],
  [
    'Let the server send "Content-Type: text/plain; charset=utf-8" for .txt files.',
    '请让服务器为 .txt 文件发送“Content-Type: text/plain; charset=utf-8”。',
  ],
  [
    'The key file is served by http: anybody in between can read the key.',
    '密钥文件通过 http 提供：途中任何人都能读到密钥。',
  ],
  [
    'Serve the site by https, and use its https:// address for the sitemap.',
    '请用 https 提供网站，并填写站点地图的 https:// 地址。',
  ],
  [
    'The key file is served directly and holds exactly the key.',
    '密钥文件可直接访问，内容与密钥完全一致。',
  ],
  [
    'The key file is on {host}, the pages are on {host2}: engines believe it for its own host only.',
    '密钥文件在 {host} 上，页面在 {host2} 上：引擎只认密钥文件自己的主机。',
  ],
  ['Put the key file on {host}.', '请把密钥文件放到 {host}。'],
  ['The key file covers all of {host}.', '密钥文件覆盖整个 {host}。'],
  [
    'Put the key file at the root of {host} and leave keyLocation out; in {folder} it covers that folder only.',
    '请把密钥文件放到 {host} 的根目录，密钥文件地址留空；放在 {folder} 只覆盖该目录。',
  ],
  [
    '{n} of {n2} URLs, such as {path}, are not under {folder}, which is all that the key file covers.',
    '{n2} 个网址中有 {n} 个（如 {path}）不在 {folder} 之下，密钥文件只覆盖该目录。',
  ],
  [
    'The key file covers only what is under {folder}; no URL could be compared with it.',
    '密钥文件只覆盖 {folder} 之下；没有网址可供比较。',
  ],
  [
    'The key file covers {folder}, and all {n} URLs are under it.',
    '密钥文件覆盖 {folder}，全部 {n} 个网址都在其下。',
  ],

  ['It answers {n}.', '它返回 {n}。'],
  [
    'There is no robots.txt ({n}): everything may be crawled.',
    '没有 robots.txt（{n}）：全部允许抓取。',
  ],
  [
    'robots.txt is a web page: engines find no rule and no sitemap in it.',
    'robots.txt 是网页：引擎在其中找不到规则和站点地图。',
  ],
  [
    "Exclude {url} from the rule that answers every address with the app's page, and serve a text file there.",
    '请把 {url} 从“所有地址都返回应用页面”的规则中排除，并在那里提供文本文件。',
  ],
  ['robots.txt could not be read. {+why}', '无法读取 robots.txt。{+why}'],
  [
    'Let {url} answer 200, or 404 where there is none: with an error engines may stay away from the whole site.',
    '请让 {url} 返回 200，没有则返回 404：若返回错误，引擎可能不再抓取整个网站。',
  ],
  ['robots.txt keeps {list} away from {path}.', 'robots.txt 不让 {list} 抓取 {path}。'],
  [
    'robots.txt keeps {list} away from {path} (line {n}).',
    'robots.txt 不让 {list} 抓取 {path}（第 {n} 行）。',
  ],
  [
    'Add "Allow: {path}" for them, or remove the Disallow line that covers it.',
    '请为它们添加“Allow: {path}”，或删去覆盖它的 Disallow 行。',
  ],
  [
    'robots.txt lets the engines in and names the sitemap.',
    'robots.txt 允许引擎访问，并列出了站点地图。',
  ],
  ['robots.txt does not name the sitemap.', 'robots.txt 没有列出站点地图。'],
  [
    'robots.txt does not name the sitemap, but {n} other.',
    'robots.txt 没有列出这个站点地图，只列出另外 {n} 个。',
  ],
  [
    'robots.txt does not name the sitemap, but {n} others.',
    'robots.txt 没有列出这个站点地图，只列出另外 {n} 个。',
  ],
  [
    'Add the line "Sitemap: {url}" to robots.txt, for the crawlers that Sluice does not tell.',
    '请在 robots.txt 中加一行“Sitemap: {url}”，供 Sluice 不通知的爬虫使用。',
  ],

  ['The engine could not be reached. {+why}', '无法连接引擎。{+why}'],
  [
    'Check its address in searchEngines, and that this machine may reach {url}.',
    '请检查“搜索引擎”中的地址，并确认本机能访问 {url}。',
  ],
  ['The engine answers {n}.', '引擎返回 {n}。'],
  ['Nothing to do but wait: runs try again by themselves.', '等待即可：运行会自动重试。'],
  [
    'The engine answers {n}: too many requests came from this address.',
    '引擎返回 {n}：来自本地址的请求过多。',
  ],
  [
    'Wait some minutes; a larger requestIntervalMs makes runs slower and gentler.',
    '请等几分钟；调大“请求间隔”可让运行放慢，减轻引擎的负担。',
  ],
  [
    'The engine answers {n}: there may be no endpoint at this address.',
    '引擎返回 {n}：这个地址上可能没有端点。',
  ],
  [
    'Check the path in searchEngines; IndexNow endpoints usually end in /indexnow.',
    '请检查“搜索引擎”中的路径；IndexNow 端点通常以 /indexnow 结尾。',
  ],
  ['The engine answers {n} and redirects to {url}.', '引擎返回 {n}，跳转到 {url}。'],
  [
    "Put {url} into searchEngines in its place, if that is the engine's new address.",
    '若 {url} 是引擎的新地址，请在“搜索引擎”中换成它。',
  ],
  [
    'The engine answers ({n} to an empty question). Nothing was submitted.',
    '引擎有回应（对空请求返回 {n}）。没有提交任何内容。',
  ],
  [
    'The engine is asked by http: anybody in between can read the key.',
    '通过 http 访问引擎：途中任何人都能读到密钥。',
  ],
  ['Give its https:// address in searchEngines.', '请在“搜索引擎”中填写它的 https:// 地址。'],
  [
    'The same engine is named {n} times: {list}. Every URL is sent to it each time.',
    '同一个引擎列了 {n} 次：{list}。每个网址都会重复提交给它。',
  ],
  ['Leave only {url} in searchEngines.', '请在“搜索引擎”中只保留 {url}。'],

  ['Bing does not know the API key.', 'Bing 无法识别这个 API 密钥。'],
  [
    'Copy it anew from Bing Webmaster Tools (Settings, API access) into bingApiKey of the site.',
    '请从 Bing Webmaster Tools（设置 → API 访问）重新复制到站点的“Bing API 密钥”。',
  ],
  ['{site} is not in the account of this API key.', '{site} 不在该密钥的账户中。'],
  ['{site} is not verified.', '{site} 尚未验证。'],
  [
    'Add the site in Bing Webmaster Tools with exactly this address, and verify it there.',
    '请在 Bing Webmaster Tools 中用完全相同的地址添加站点，并完成验证。',
  ],
  ['Verify the site in Bing Webmaster Tools.', '请在 Bing Webmaster Tools 中验证站点。'],
  ['Nothing to do: every further call would make it longer.', '无需处理：继续访问只会延长等待。'],
  ['Bing could not be asked. {+why}', '无法询问 Bing。{+why}'],
  [
    'Try again later; if it stays so, check BING_API_URL and that this machine may reach it.',
    '请稍后再试；若一直如此，请检查 BING_API_URL，并确认本机能访问它。',
  ],
  [
    'Bing knows the key and the site; {n} URLs can still be sent today.',
    'Bing 认可密钥和站点；今天还能提交 {n} 个网址。',
  ],
  [
    "Nothing is left of today's quota of {n} URLs; IndexNow is not touched by that.",
    '今日 {n} 个网址的配额已用完；IndexNow 不受影响。',
  ],
  [
    'Nothing to do: it starts anew at 00:00 UTC. If Bing grants more, raise bingDailyQuota or set it to "auto".',
    '无需处理：00:00 UTC 重新计算。若 Bing 给的更多，请调大“每日配额”或填 auto。',
  ],
]
