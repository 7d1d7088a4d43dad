import type { Phrase } from '../phrases.ts'

/** 站点的设置有什么不对（src/submit/site-settings.ts，src/submit/sites.ts，src/submit/sealed-settings.ts）。 */
export const SITE_PHRASES: readonly Phrase[] = [
  ['{field} is missing: it should be {+what}.', '缺少 {field}：应为{+what}。'],
  ['{field} is not usable: it should be {+what}.', '{field} 不可用：应为{+what}。'],
  ['{field} is {text}: it should be {+what}.', '{field} 是 {text}：应为{+what}。'],
  [
    'an http:// or https:// address without a name and password in it',
    '不含用户名和密码的 http:// 或 https:// 地址',
  ],
  [
    'a host name, with its port where it is not the usual one, such as cdn.example.com',
    '主机名（非默认端口须写明），例如 cdn.example.com',
  ],
  ['a list of at most {n} {+what}', '最多 {n} 个{+what}'],
  ['host names, such as ["cdn.example.com"]', '主机名，例如 ["cdn.example.com"]'],
  ['addresses of further sitemaps', '其他站点地图的地址'],
  [
    'one of {list}, a host such as api.indexnow.org, or the https:// address of an IndexNow endpoint',
    ' {list} 之一，或 api.indexnow.org 这样的主机，或 IndexNow 端点的 https:// 地址',
  ],
  [
    'a list of 1 to {n} search engines, such as ["bing", "yandex"]',
    ' 1 到 {n} 个搜索引擎，例如 ["bing", "yandex"]',
  ],
  ['a name of 1 to 200 characters in one line', '单行名称，1 到 200 个字符'],
  // 写全：其中的“. ”会被当作句子的结束。
  [
    '{field} is {text}: it should be an id of 1 to 255 letters, digits and . _ : -, with at least one letter or digit.',
    '{field} 是 {text}：应为 1 到 255 个字母、数字或 . _ : -，至少含一个字母或数字。',
  ],
  [
    'a whole number from 1 to 500, or "auto" to ask Bing for it',
    ' 1 到 500 的整数，或 auto（询问 Bing）',
  ],
  [
    "the site's IndexNow key: 8 to 128 characters of a-z, A-Z, 0-9 and -, nothing before or after them",
    '站点的 IndexNow 密钥（8 到 128 个字母、数字或 -，前后没有别的内容）',
  ],
  [
    'an http:// or https:// address; where its receiver checks signatures, with # and the signing secret after it (for plain JSON whsec_ and 32 to 88 characters of base64)',
    ' http:// 或 https:// 地址；若接收方校验签名，其后加 # 和签名密钥（普通 JSON 的密钥是 whsec_ 加 32 到 88 个 base64 字符）',
  ],
  [
    'the API key of Bing Webmaster Tools, without spaces or line breaks',
    ' Bing Webmaster Tools 的 API 密钥，不含空格和换行',
  ],
  ['a whole number from {n} to {n2}', ' {n} 到 {n2} 的整数'],
  ['one of {list}', ' {list} 之一'],
  ['true or false', ' true 或 false'],
  [
    'bingApiKey is required when bingEnabled is true',
    '启用 Bing Webmaster 需要填写 Bing API 密钥。',
  ],
  [
    'keyLocation is not on {host}: search engines only believe a key file on the host whose pages are submitted. Put the file there, or leave keyLocation out for {url}.',
    '密钥文件地址（keyLocation）不在 {host} 上：搜索引擎只认所提交页面的主机上的密钥文件。请把文件放到那里，或留空以使用 {url}。',
  ],
  ['{text} is not a field of a site. {+next}', '站点没有 {text} 这个字段。{+next}'],
  ['Did you mean {name}?', '是不是指 {name}？'],
  ['Leave it out. The fields are {list}.', '请去掉。可用的字段：{list}。'],
  [
    'The id of {site} cannot be changed. Add a second site instead.',
    '{site} 的编号不能更改。请另外添加一个站点。',
  ],
  [
    'The body should be a JSON object with the fields of a site, at least sitemapUrl and apiKey.',
    '正文应为 JSON 对象，含站点的字段，至少有 sitemapUrl 和 apiKey。',
  ],
  [
    'The settings of {site} cannot be used: {+why} Correct them with PUT /api/sites/{site2}.',
    '{site} 的设置不可用。{+why}请编辑站点改正（PUT /api/sites/{site2}）。',
  ],
  [
    'The {field} of {site} cannot be opened: {+why} PUT /api/sites/{site2} sets it.',
    '{site} 的 {field} 无法打开。{+why}编辑站点即可设置（PUT /api/sites/{site2}）。',
  ],
]
