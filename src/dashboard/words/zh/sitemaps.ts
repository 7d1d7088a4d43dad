import type { Phrase } from '../phrases.ts'

/** 读取站点地图时的消息（src/submit/sitemap/，src/submit/tell-reading.ts）。 */
export const SITEMAP_PHRASES: readonly Phrase[] = [
  ['{file}: {+why}', '{file}：{+why}'],

  [
    "The server answered {n}, also after waiting. Try again later, or look at the server's own log.",
    '服务器返回 {n}，等待后仍是如此。请稍后再试，或查看该服务器的日志。',
  ],
  [
    'The server answered {n} and asked to come back in {n2} seconds. The next run tries again.',
    '服务器返回 {n}，要求 {n2} 秒后重试。下次运行会再试。',
  ],
  [
    'The server names a "Content-Encoding", but what it sends is not encoded so. Correct that header on the server.',
    '服务器声明了 Content-Encoding，但内容并未如此编码。请在服务器上改正这个响应头。',
  ],
  ['The file is empty. Check what generates it.', '文件是空的。请检查生成它的程序。'],
  [
    'This is an HTML page, not a sitemap: perhaps an error page, a login or a challenge for browsers. Open the address to see it.',
    '这是网页而不是站点地图：可能是错误页、登录页或人机验证。请打开该地址查看。',
  ],
  [
    'This is neither a sitemap, a feed nor a list of URLs: it begins with {text}. Check the address.',
    '这既不是站点地图，也不是订阅源或网址列表：开头是“{text}”。请检查地址。',
  ],
  [
    'Line {n}, column {n2}: {said}. What comes before it was read; repair the file to have the rest read.',
    '第 {n} 行第 {n2} 列：{said}。此前的内容已读取；修复文件后才能读取其余部分。',
  ],
  [
    'The compressed file is damaged or cut off. What comes before was read; generate the file again.',
    '压缩文件损坏或不完整。此前的内容已读取；请重新生成文件。',
  ],
  [
    'The file is larger than {n} MB uncompressed, the limit for sitemaps. Split it, and name the parts in a sitemap index.',
    '文件解压后超过 {n} MB，这是站点地图的上限。请拆分，并在站点地图索引中列出各部分。',
  ],
  [
    'The file is more than {n} sitemap indexes deep. Name it in an index nearer to the first.',
    '文件所在的索引超过 {n} 层。请在更靠前的索引中列出它。',
  ],
  [
    'The site names more than {n} sitemap files. Join small ones.',
    '站点列出的站点地图文件超过 {n} 个。请合并较小的文件。',
  ],
  [
    'The file is on another host, {host}. If that is meant, add the host to allowedSitemapHosts.',
    '文件在另一主机 {host} 上。如确有需要，请把它加入“允许提供站点地图的主机”（allowedSitemapHosts）。',
  ],
  [
    '"{text}" is not an http(s) address. Correct it where it is written.',
    '“{text}”不是 http(s) 地址。请在写有它的地方改正。',
  ],
  [
    'The server answered {n}: there is no such file. Check the address, or remove it from the sitemap index.',
    '服务器返回 {n}，没有这个文件。请检查地址，或从站点地图索引中删去它。',
  ],
  [
    "The server answered {n}: it refuses to show the file. Let the user agent of Sluice pass, for example in the firewall's rules for bots.",
    '服务器返回 {n}，拒绝提供文件。请放行 Sluice 的 User-Agent，例如在防火墙的爬虫规则中。',
  ],
  [
    'The server answered {n} instead of a sitemap. Open the address to see why.',
    '服务器返回 {n}，而不是站点地图。请打开该地址查看原因。',
  ],
  [
    'The run was stopped before this file was read. The next run reads it.',
    '运行在读取这个文件之前已停止。下次运行会读取。',
  ],
  [
    "The run's time was used up before this file was read. The next run reads it; RUN_BUDGET_MS gives more time.",
    '运行时间在读取这个文件之前已用完。下次运行会读取；调大 RUN_BUDGET_MS 可给更多时间。',
  ],
  [
    'The requests that one invocation may make were used up before this file was read. The next slice reads it.',
    '单次调用的请求数在读取这个文件之前已用完。下一片会读取。',
  ],
  [
    'The URLs that one invocation may handle were used up before this file was read. The next slice reads it.',
    '单次调用可处理的网址数在读取这个文件之前已用完。下一片会读取。',
  ],
  [
    'The file has {n} URLs. All are read here, but search engines may ignore those past {n2}: split it.',
    '文件含 {n} 个网址。这里全部读取，但搜索引擎可能忽略第 {n2} 个之后的：请拆分文件。',
  ],

  ['"<!" that begins no comment, section or doctype', '“<!”之后不是注释、CDATA 段或文档类型'],
  ['the doctype does not end', '文档类型声明没有结束'],
  [
    'a "<" that begins no tag; in a text it must be written as "&lt;"',
    '“<”之后不是标签；正文中须写作“&lt;”',
  ],
  ['{tag} while {said} is still open', '出现 {tag}，但 {said} 尚未关闭'],
  ['something inside of it', '其中的元素'],
  ['the document ends before its first element', '文档在第一个元素之前就结束了'],
  ['the document ends before </{tag}>', '文档在 </{tag}> 之前就结束了'],

  [
    '1 URL is not on {host} and left out. Each host needs a site of its own.',
    '1 个网址不在 {host} 上，已略过。每个主机需要单独添加站点。',
  ],
  [
    '{n} URLs are not on {host} and left out. Each host needs a site of its own.',
    '{n} 个网址不在 {host} 上，已略过。每个主机需要单独添加站点。',
  ],
  [
    'More than half of the known pages are missing from the sitemap. That is taken as a mistake of the sitemap, and nothing counts as deleted.',
    '站点地图缺少一半以上的已知页面。这被视为站点地图的错误，不把任何页面当作已删除。',
  ],
  [
    'Nothing is submitted before the sitemaps were read whole once, because firstRun is "baseline". The next run goes on; repair the files that could not be read, or set firstRun to "submit".',
    '首次运行（firstRun）设为 baseline：完整读取一遍站点地图之前，不提交任何页面。下次运行继续；请修复无法读取的文件，或把 firstRun 设为 submit。',
  ],
  ['The sitemap is empty. Check what generates it.', '站点地图是空的。请检查生成它的程序。'],
  [
    'No URL of the sitemap is on {host}, all are on {said}. If that is the site, submit it by its own address, such as https://{where}/sitemap.xml; else correct what makes the sitemap.',
    '站点地图中没有 {host} 的网址，全部在{said}上。如果那才是站点，请用它自己的地址提交，例如 https://{where}/sitemap.xml；否则请改正生成站点地图的程序。',
  ],
  ['another host', '另一主机'],
  [
    '1 entry of the sitemap was left out: {list}. Correct what makes the sitemap.',
    '略过站点地图中的 1 个条目：{list}。请改正生成站点地图的程序。',
  ],
  [
    '{n} entries of the sitemap were left out: {list}. Correct what makes the sitemap.',
    '略过站点地图中的 {n} 个条目：{list}。请改正生成站点地图的程序。',
  ],
  [
    '{n} entries of the sitemap were left out: {list} and others. Correct what makes the sitemap.',
    '略过站点地图中的 {n} 个条目：{list}等。请改正生成站点地图的程序。',
  ],
  ['"{text}" ({+why})', '“{text}”（{+why}）'],
  ['one without an address', '一个没有网址的条目'],
  ['longer than 2,048 characters', '超过 2,048 个字符'],
  ['it names an entity that XML does not know', '含有 XML 未定义的实体'],
  ['not in the encoding that the file declares', '不是文件声明的编码'],
  ['not a whole address', '不是完整网址'],
  ['not an http or https address', '不是 http 或 https 网址'],
  ['it holds a name or a password', '含有用户名或密码'],
]
