import type { FindingCode } from '../../../src/submit/doctor/codes.ts'
import { patientFrom } from '../../../src/submit/doctor/patient.ts'
import { urlset } from '../../support/stand-ins/site.ts'
import { answers, breaks } from '../../support/stand-ins/stand-in.ts'
import {
  BING_KEY,
  bingWith,
  type Changes,
  ENGINE,
  IN_QUERY,
  KEY,
  keyFile,
  SITE,
  type Practice,
} from './support.ts'

interface Plant {
  readonly changes?: Changes
  readonly also?: (practice: Practice) => void | Promise<void>
  readonly finds: readonly FindingCode[]
  readonly says: RegExp
  readonly fix: RegExp
}

const HTML = '<!doctype html><html><body><div id="app"></div></body></html>'
/** As servers write it that encode no address: a header is one character for each byte. */
const asBytes = (text: string) => Buffer.from(text).toString('latin1')
export const entries = (...paths: string[]) =>
  urlset(...paths.map((path) => [`${SITE}${path}`, '2025-01-02'] as const))

/** What is wrong, what the doctor calls it, and what it tells to do. The first code is the one that is looked at. */
export const PLANTED: Record<string, Plant> = {
  'a missing key file': {
    changes: { files: { [`/${KEY}.txt`]: undefined } },
    finds: ['key-file-missing'],
    says: /answers 404/,
    fix: /nothing but the key.*sluice key new --write/,
  },
  'a key file with something else in it': {
    changes: { files: { [`/${KEY}.txt`]: keyFile('another-key-1234') } },
    finds: ['key-file-wrong-content'],
    says: /something else than the key/,
    fix: /nothing but the key, as plain UTF-8 text/,
  },
  'an empty key file': {
    changes: { files: { [`/${KEY}.txt`]: keyFile('\n') } },
    finds: ['key-file-empty'],
    says: /is empty/,
    fix: /nothing but the key/,
  },
  'the page of an app in the place of the key file': {
    changes: { files: { [`/${KEY}.txt`]: keyFile(HTML, { 'content-type': 'text/html' }) } },
    finds: ['key-file-is-html'],
    says: /web page instead of the key/,
    fix: /Exclude .* from the rule that answers every address/,
  },
  'a key file that redirects': {
    changes: {
      files: {
        [`/${KEY}.txt`]: {
          status: 301,
          headers: { location: `https://www.example.com/${KEY}.txt?a=${IN_QUERY}` },
        },
      },
    },
    finds: ['key-file-redirected'],
    says: /301 and redirects to https:\/\/www\.example\.com\/c4n4…\.txt/,
    fix: /itself with 200, without a redirect/,
  },
  'a key file that redirects to an address beyond ASCII': {
    changes: {
      files: { [`/${KEY}.txt`]: { status: 301, headers: { location: asBytes('/文章') } } },
    },
    finds: ['key-file-redirected'],
    says: /redirects to \S+\/%E6%96%87%E7%AB%A0\./,
    fix: /itself with 200, without a redirect/,
  },
  'a key file behind a login': {
    changes: { files: { [`/${KEY}.txt`]: { status: 403 } } },
    finds: ['key-file-missing'],
    says: /answers 403/,
    fix: /firewall or a login/,
  },
  'a line break after the key': {
    changes: { files: { [`/${KEY}.txt`]: keyFile(`${KEY}\n`) } },
    finds: ['key-file-whitespace'],
    says: /white space around the key/,
    fix: /without a line break/,
  },
  'a byte order mark before the key': {
    changes: { files: { [`/${KEY}.txt`]: keyFile(`\uFEFF${KEY}`) } },
    finds: ['key-file-byte-order-mark'],
    says: /byte order mark/,
    fix: /UTF-8 without a byte order mark/,
  },
  'a key file of another type': {
    changes: {
      files: { [`/${KEY}.txt`]: keyFile(KEY, { 'content-type': 'application/octet-stream' }) },
    },
    finds: ['key-file-content-type'],
    says: /as application\/octet-stream/,
    fix: /Content-Type: text\/plain/,
  },
  'a key that is none': {
    changes: { patient: patientFrom({ sitemapUrl: `${SITE}/sitemap.xml`, key: `${KEY} é` }) },
    also: ({ origins, engine }) => {
      origins['https://api.indexnow.org'] = engine.origin
    },
    finds: ['key-format-invalid'],
    says: /not 8 to 128 characters/,
    fix: /sluice key new/,
  },
  'a key file in a subfolder': {
    changes: {
      files: {
        [`/blog/${KEY}.txt`]: keyFile(KEY),
        '/sitemap.xml': entries('/blog/a', '/shop/b', '/'),
      },
      patient: { keyLocation: `${SITE}/blog/${KEY}.txt` },
    },
    finds: ['key-scope-exceeded'],
    says: /2 of 3 URLs, such as \/shop\/b, are not under \/blog\//,
    fix: /at the root of example\.com/,
  },
  'a key file on another host': {
    changes: { patient: { keyLocation: `https://cdn.example.com/${KEY}.txt` } },
    finds: ['key-scope-foreign-host', 'key-file-unreachable', 'robots-unreachable'],
    says: /on cdn\.example\.com, the pages are on example\.com/,
    fix: /Put the key file on example\.com/,
  },
  'a sitemap that is not there': {
    changes: { files: { '/sitemap.xml': undefined } },
    finds: ['sitemap-missing'],
    says: /answers 404/,
    fix: /Check the address/,
  },
  'a web page in the place of the sitemap': {
    changes: { files: { '/sitemap.xml': HTML } },
    finds: ['sitemap-is-html'],
    says: /web page, not a sitemap/,
    fix: /Serve the XML file there/,
  },
  'a broken sitemap': {
    changes: {
      files: {
        '/sitemap.xml': `<urlset>\n  <url><loc>${SITE}/a</loc><lastmod>2025-01-02</lastmod></url>\n  <url><loc>${SITE}/b</url>\n</urlset>`,
      },
    },
    finds: ['sitemap-broken'],
    says: /line 3, column \d+/,
    fix: /Repair it there/,
  },
  'a sitemap with the URLs of another host': {
    changes: { files: { '/sitemap.xml': urlset('https://www.example.com/', 'https://x.org/') } },
    finds: ['sitemap-all-foreign'],
    says: /All 2 URLs are on www\.example\.com, x\.org, none on example\.com/,
    fix: /sitemap's address on www\.example\.com/,
  },
  'a sitemap without URLs': {
    changes: { files: { '/sitemap.xml': urlset() } },
    finds: ['sitemap-empty'],
    says: /no URL in the sitemap/,
    fix: /what generates it/,
  },
  'some foreign, some invalid, some undated': {
    changes: {
      files: {
        '/sitemap.xml': urlset(
          [`${SITE}/a`, '2025-01-02'],
          `${SITE}/b`,
          [`${SITE}/c`, 'yesterday'],
          [`${SITE}/d`, '2025-06-01'],
          'https://x.org/',
          `javascript:${IN_QUERY}`,
        ),
      },
    },
    finds: [
      'sitemap-lastmod-invalid',
      'sitemap-foreign-urls',
      'sitemap-invalid-urls',
      'sitemap-lastmod-missing',
      'sitemap-lastmod-future',
    ],
    says: /1 dates cannot be read, such as "yesterday"/,
    fix: /2026-01-31/,
  },
  'a header that says gzip where nothing is': {
    changes: {
      files: {
        '/sitemap.xml': ({ headers }) => ({
          body: entries('/a'),
          headers: headers['accept-encoding'] === 'identity' ? {} : { 'content-encoding': 'gzip' },
        }),
      },
    },
    finds: ['sitemap-gzip-header'],
    says: /what it sends is not encoded so/,
    fix: /Correct that header/,
  },
  'robots.txt that shuts everybody out': {
    changes: {
      files: {
        '/robots.txt': `User-agent: *\nDisallow: /\nSitemap: ${SITE}/sitemap.xml\n`,
      },
    },
    finds: ['robots-blocks-site'],
    says: /keeps bingbot away from \/ \(line 2\)/,
    fix: /remove the Disallow line/,
  },
  'robots.txt that hides text files from Bing': {
    changes: {
      files: {
        '/robots.txt': `User-agent: bingbot\nDisallow: /*.txt$\nDisallow: /sitemap\n\nSitemap: ${SITE}/sitemap.xml\n`,
      },
    },
    finds: ['robots-blocks-key-file', 'robots-blocks-sitemap'],
    says: /keeps bingbot away from \/c4n4…\.txt/,
    fix: /Add "Allow: \/c4n4…\.txt\$"/,
  },
  'robots.txt without the sitemap': {
    changes: { files: { '/robots.txt': 'User-agent: *\nDisallow:\n' } },
    finds: ['robots-sitemap-unlisted'],
    says: /does not name the sitemap/,
    fix: /Sitemap: https:\/\/example\.com\/sitemap\.xml/,
  },
  'robots.txt that is a web page': {
    changes: { files: { '/robots.txt': HTML } },
    finds: ['robots-is-html'],
    says: /is a web page/,
    fix: /serve a text file/,
  },
  'robots.txt that fails': {
    changes: { files: { '/robots.txt': { status: 503 } } },
    finds: ['robots-unreachable'],
    says: /answers 503/,
    fix: /answer 200, or 404/,
  },
  'a dead engine': {
    changes: { patient: { searchEngines: [ENGINE, 'https://search.gone.example/indexnow'] } },
    finds: ['engine-unreachable'],
    says: /ENOTFOUND/,
    fix: /Check its address in searchEngines/,
  },
  'an engine that hangs up': {
    also: ({ engine }) => engine.always(breaks('reset')),
    finds: ['engine-unreachable'],
    says: /could not be reached/,
    fix: /may reach https:\/\/www\.bing\.com\/indexnow/,
  },
  'an engine with a problem of its own': {
    also: ({ engine }) => engine.always(answers(502)),
    finds: ['engine-failing'],
    says: /answers 502/,
    fix: /wait/,
  },
  'an engine that is elsewhere': {
    also: ({ engine }) => engine.always(answers(404)),
    finds: ['engine-not-found'],
    says: /answers 404/,
    fix: /\/indexnow/,
  },
  'an engine that has moved': {
    also: ({ engine }) =>
      engine.always(answers(308, '', { location: `https://new.example/x?y=${IN_QUERY}` })),
    finds: ['engine-redirected'],
    says: /redirects to https:\/\/new\.example\/x/,
    fix: /Put https:\/\/new\.example\/x/,
  },
  'an engine that has moved to an address beyond ASCII': {
    also: ({ engine }) => engine.always(answers(308, '', { location: asBytes('/文章') })),
    finds: ['engine-redirected'],
    says: /redirects to \S+\/%E6%96%87%E7%AB%A0\./,
    fix: /Put \S+\/%E6%96%87%E7%AB%A0 into/,
  },
  'an engine that asks to slow down': {
    also: ({ engine }) => engine.always(answers(429)),
    finds: ['engine-rate-limited'],
    says: /too many requests/,
    fix: /requestIntervalMs/,
  },
  'one engine twice': {
    changes: { patient: { searchEngines: [ENGINE, `${ENGINE}`.replace('www.', '')] } },
    also: ({ origins, engine }) => {
      origins['https://bing.com'] = engine.origin
    },
    finds: ['engine-duplicate'],
    says: /named 2 times/,
    fix: /Leave only https:\/\/www\.bing\.com\/indexnow/,
  },
  'a bad Bing key': {
    changes: { patient: bingWith('n0t-the-key-of-anybody') },
    finds: ['bing-key-invalid'],
    says: /does not know the API key/,
    fix: /Settings, API access/,
  },
  'a Bing quota that is used up': {
    changes: { patient: bingWith(BING_KEY) },
    also: ({ bing }) => bing.spendElsewhere(SITE, 100),
    finds: ['bing-quota-exhausted'],
    says: /Nothing is left of today's quota of 100/,
    fix: /00:00 UTC/,
  },
  'a Bing account that is throttled': {
    changes: { patient: bingWith(BING_KEY) },
    also: ({ bing }) => bing.throttle('user'),
    finds: ['bing-resting'],
    says: /too many calls/,
    fix: /make it longer/,
  },
  'a Bing that does not answer': {
    changes: { patient: bingWith(BING_KEY) },
    also: ({ bing }) => bing.always(breaks('reset')),
    finds: ['bing-unreachable'],
    says: /could not be asked/,
    fix: /BING_API_URL/,
  },
  'a clock that is an hour off': {
    changes: { doctorsTime: '2025-01-15T01:00:00Z' },
    finds: ['clock-off'],
    says: /60 minutes ahead/,
    fix: /NTP/,
  },
  'a clock of another year': {
    changes: { doctorsTime: '2024-01-15T00:00:00Z' },
    finds: ['clock-wrong', 'sitemap-lastmod-future'],
    says: /366 days behind/,
    fix: /NTP/,
  },
  'a site that is switched off': {
    changes: { patient: { enabled: false } },
    finds: ['site-disabled'],
    says: /passes it by/,
    fix: /enabled to true/,
  },
}
