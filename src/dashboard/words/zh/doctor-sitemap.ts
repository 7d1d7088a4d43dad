import type { InvalidReason } from '../../../submit/sitemap/judge-url.ts'
import type { Phrase } from '../phrases.ts'

const INVALID: Readonly<Record<InvalidReason, string>> = {
  'no-loc': '没有网址',
  'too-long': '过长',
  'undefined-entity': '未定义的实体',
  'bad-encoding': '编码有误',
  'not-a-url': '不是网址',
  'not-http': '不是 http(s)',
  'has-credentials': '含用户名或密码',
}

const NAME = ['name', '文件名'] as const
const HEADER = ['header', '响应头'] as const
const CONTENT = ['content', '内容'] as const

/** 每种组合写全：单独的 name 也是站点的字段，不能当作短语。 */
const GZIP_SIGNS = [
  [NAME],
  [HEADER],
  [CONTENT],
  [NAME, HEADER],
  [NAME, CONTENT],
  [HEADER, CONTENT],
  [NAME, HEADER, CONTENT],
]

/** 诊断关于站点地图的话（src/submit/doctor/check-sitemap.ts，sitemap-failures.ts，check-lastmods.ts）。 */
export const DOCTOR_SITEMAP_PHRASES: readonly Phrase[] = [
  ['The same is true of another file.', '另有 1 个文件也是如此。'],
  ['The same is true of {n} other files.', '另有 {n} 个文件也是如此。'],
  ['The file answers {n}.', '文件返回 {n}。'],
  ["Look at the server's log.", '请查看服务器日志。'],
  ['The file is a web page, not a sitemap.', '文件是网页，而不是站点地图。'],
  [
    "Open the address: it may be an error page, a login, a challenge for browsers, or an app's page for every address. Serve the XML file there.",
    '请打开该地址：可能是错误页、登录页、人机验证，或应用对所有地址返回的页面。请在那里提供 XML 文件。',
  ],
  [
    'The file begins with {text} and is neither a sitemap, a feed nor a list of URLs.',
    '文件开头是“{text}”，既不是站点地图，也不是订阅源或网址列表。',
  ],
  ['Check the address: it should be that of the XML file.', '请检查地址：应为 XML 文件的地址。'],
  ['The file is empty.', '文件是空的。'],
  [
    'Generate the file again, and look at the log of what generates it.',
    '请重新生成文件，并查看生成程序的日志。',
  ],
  [
    'The file is broken at line {n}, column {n2}: {said}.',
    '文件在第 {n} 行第 {n2} 列有误：{said}。',
  ],
  ['Repair it there; what comes before was read.', '请在那里修复；此前的内容已读取。'],
  [
    'The file is said to be compressed by "Content-Encoding", but is not.',
    '文件声明了 Content-Encoding 压缩，实际上没有压缩。',
  ],
  ['Correct that header on the server.', '请在服务器上改正这个响应头。'],
  ['The file is compressed, and damaged or cut off.', '压缩文件损坏或不完整。'],
  ['The file is on another host, {host}.', '文件在另一主机 {host} 上。'],
  [
    'If that is meant, add "{host}" to allowedSitemapHosts of the site.',
    '如确有需要，请把“{host}”加入站点的“允许提供站点地图的主机”。',
  ],
  ['The file is more than {n} indexes deep.', '文件所在的索引超过 {n} 层。'],
  ['Name it in an index nearer to the first.', '请在更靠前的索引中列出它。'],
  ['The file is one of more than {n} files.', '文件总数超过 {n} 个。'],
  ['Join small ones.', '请合并较小的文件。'],
  ['The file is not an http(s) address.', '文件的地址不是 http(s) 地址。'],
  ['Correct it in the index that names it.', '请在列出它的索引中改正。'],
  ['The file is larger than {n} MB uncompressed.', '文件解压后超过 {n} MB。'],
  ['Split it, and name the parts in a sitemap index.', '请拆分，并在站点地图索引中列出各部分。'],
  [
    "The file was not read before the doctor's time was over.",
    '诊断时间用完之前没有读到这个文件。',
  ],
  [
    'A run has more time (RUN_BUDGET_MS) and goes on the next time; nothing to do unless runs say the same.',
    '运行的时间更长（RUN_BUDGET_MS），并会在下次继续；若运行没有同样的问题，无需处理。',
  ],
  ['The file could not be read. {+why}', '无法读取文件。{+why}'],
  [
    'Open the address in a browser; crawlers must reach it from the internet.',
    '请用浏览器打开该地址；爬虫必须能从互联网访问它。',
  ],
  ['The file answers {n}: there is no such file.', '文件返回 {n}：不存在。'],
  [
    "Check the address; the site's own address works too, if robots.txt names the sitemap or it is /sitemap.xml.",
    '请检查地址；若 robots.txt 列出了站点地图，或它就是 /sitemap.xml，也可以只填网站地址。',
  ],
  [
    'Let the user agent of Sluice pass, for example in the rules of a firewall for bots.',
    '请放行 Sluice 的 User-Agent，例如在防火墙的爬虫规则中。',
  ],

  ['There is no URL in the sitemap.', '站点地图中没有网址。'],
  ['There is no URL in its {n} files.', '{n} 个站点地图文件中都没有网址。'],
  [
    'Look at what generates it: drafts only, a wrong filter, or the wrong file.',
    '请检查生成它的程序：是否只有草稿、筛选有误，或文件不对。',
  ],
  ['{n} URLs in 1 file ({list}; {n2} bytes).', '1 个文件中有 {n} 个网址（{list}；{n2} 字节）。'],
  [
    '{n} URLs in 1 file ({list}; {n2} bytes, {+gzip}).',
    '1 个文件中有 {n} 个网址（{list}；{n2} 字节，{+gzip}）。',
  ],
  [
    '{n} URLs in {n3} files ({list}; {n2} bytes).',
    '{n3} 个文件中有 {n} 个网址（{list}；{n2} 字节）。',
  ],
  [
    '{n} URLs in {n3} files ({list}; {n2} bytes, {+gzip}).',
    '{n3} 个文件中有 {n} 个网址（{list}；{n2} 字节，{+gzip}）。',
  ],
  ...GZIP_SIGNS.map((signs): Phrase => [
    `gzip by its ${signs.map(([english]) => english).join(' and its ')}`,
    `gzip 压缩，见于${signs.map(([, chinese]) => chinese).join('、')}`,
  ]),
  [
    '{n} of {n2} URLs are not on {host} but on {list}, and are left out.',
    '{n2} 个网址中有 {n} 个不在 {host} 上，而在 {list} 上，已略过。',
  ],
  [
    'Add a site of its own for {host}, with its own key file, or take these URLs out of the sitemap.',
    '请为 {host} 单独添加站点和密钥文件，或从站点地图中去掉这些网址。',
  ],
  [
    'All {n} URLs are on {list}, none on {host}: nothing would be submitted.',
    '全部 {n} 个网址都在 {list} 上，没有一个在 {host} 上：不会提交任何页面。',
  ],
  [
    "Use the sitemap's address on {host}, with the key file there too, or let the sitemap name pages of {host2}.",
    '请改用 {host} 上的站点地图地址，密钥文件也放在那里；或让站点地图列出 {host2} 的页面。',
  ],
  ['{n} entries are left out ({list}).', '略过 {n} 个条目（{list}）。'],
  ...Object.entries(INVALID).map(([reason, chinese]): Phrase => [
    `{n} ${reason}`,
    `${chinese} {n} 个`,
  ]),
  [
    'sluice sitemap --json lists them under "invalid": whole http(s) addresses of at most 2,048 characters are taken.',
    'sluice sitemap --json 在 invalid 中列出它们：只接受完整的 http(s) 网址，最长 2,048 个字符。',
  ],
  [
    'The file has {n} URLs; engines may ignore those past 50,000.',
    '文件含 {n} 个网址；引擎可能忽略第 50,000 个之后的。',
  ],
  [
    'The server names a "Content-Encoding", but what it sends is not encoded so.',
    '服务器声明了 Content-Encoding，但内容并未如此编码。',
  ],
  [
    'Correct that header on the server: Sluice gets by, other readers do not.',
    '请在服务器上改正这个响应头：Sluice 能够处理，其他程序则不能。',
  ],

  [
    'No URL has a lastmod: Sluice does not see when such a page changes.',
    '没有网址带 lastmod：Sluice 无法察觉页面的变更。',
  ],
  [
    '{n} of {n2} URLs do not have a lastmod: Sluice does not see when such a page changes.',
    '{n2} 个网址中有 {n} 个没有 lastmod：Sluice 无法察觉这些页面的变更。',
  ],
  [
    'Let what generates the sitemap write <lastmod> with the time of the last real change.',
    '请让生成站点地图的程序写入 <lastmod>，即最后一次真正变更的时间。',
  ],
  ['{n} dates cannot be read, such as "{text}".', '{n} 个日期无法识别，例如“{text}”。'],
  [
    'Write them as 2026-01-31 or 2026-01-31T12:00:00Z (W3C date and time).',
    '请写成 2026-01-31 或 2026-01-31T12:00:00Z（W3C 日期格式）。',
  ],
  [
    '{n} dates are more than a day ahead: later changes of those pages go unnoticed.',
    '{n} 个日期比现在晚一天以上：这些页面之后的变更无法察觉。',
  ],
  [
    'Let lastmod be the time of the last change, not of a planned one; and check the clock of what writes it.',
    'lastmod 应为最后一次变更的时间，而不是计划的时间；并请核对写入它的机器的时间。',
  ],
  ['All {n} URLs have a date that can be read.', '全部 {n} 个网址都有可识别的日期。'],
]
