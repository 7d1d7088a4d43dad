export type Level = 'ok' | 'warning' | 'error'

interface Code {
  readonly level: Level
  /** For the page `docs/doctor.md`. */
  readonly meaning: string
}

const ok = (meaning: string): Code => ({ level: 'ok', meaning })
const warning = (meaning: string): Code => ({ level: 'warning', meaning })
const error = (meaning: string): Code => ({ level: 'error', meaning })

/**
 * Everything that the doctor can find, by the word that machines know it by. A code that was published is never given
 * another meaning or level. `error`: submissions fail, or will; `warning`: they work, but something is not as meant.
 */
export const CODES = {
  'site-unusable': error('The stored site cannot be run: a secret does not open, or a setting'),
  'site-disabled': warning('The site is switched off: the schedule passes it by'),

  'key-format': ok('The key is 8 to 128 of A-Z, a-z, 0-9 and -'),
  'key-format-invalid': error('The key is no IndexNow key; its file is then not looked for'),
  'key-file': ok('The key file is served directly and holds exactly the key'),
  'key-file-unreachable': error('No answer, or a server error'),
  'key-file-missing': error('Another status than 200, such as 404'),
  'key-file-redirected': error('A redirect, which engines do not follow'),
  'key-file-is-html': error('A web page instead of the key, as single-page apps answer'),
  'key-file-empty': error('The key file is empty'),
  'key-file-wrong-content': error('Something else than the key'),
  'key-file-whitespace': warning('White space or a line break around the key'),
  'key-file-byte-order-mark': warning('A byte order mark before the key'),
  'key-file-content-type': warning('Not served as text/plain'),
  'key-file-insecure': warning('Served by http, not https'),
  'key-scope': ok('The key file covers every URL of the sitemap'),
  'key-scope-foreign-host': error('The key file is on another host than the pages'),
  'key-scope-exceeded': error('URLs lie outside of the folder that the key file covers'),
  'key-scope-folder': warning('The key file covers a folder only, and no URL could be compared'),

  robots: ok('robots.txt lets the engines in and names the sitemap'),
  'robots-absent': ok('There is no robots.txt: everything may be crawled'),
  'robots-unreachable': warning('robots.txt cannot be read; engines may then stay away'),
  'robots-is-html': warning('A web page in the place of robots.txt'),
  'robots-blocks-site': error("An engine's crawler may not fetch the site's first page"),
  'robots-blocks-key-file': error("An engine's crawler may not fetch the key file"),
  'robots-blocks-sitemap': warning("An engine's crawler may not fetch the sitemap"),
  'robots-sitemap-unlisted': warning('robots.txt does not name the sitemap'),

  sitemap: ok('Every sitemap file was read whole'),
  'sitemap-unreachable': error('No answer, or a server error'),
  'sitemap-missing': error('404 or 410'),
  'sitemap-refused': error('Another status than 200, such as 403'),
  'sitemap-is-html': error('A web page instead of a sitemap'),
  'sitemap-not-a-sitemap': error('Neither a sitemap, a feed nor a list of URLs'),
  'sitemap-empty': error('An empty file, or no URL in any file'),
  'sitemap-broken': error('Broken XML; line and column are in details'),
  'sitemap-gzip-broken': error('The compressed file is damaged or cut off'),
  'sitemap-too-large': error('More than 50 MB uncompressed'),
  'sitemap-foreign-file': error('An index names a file on a host that is not allowed'),
  'sitemap-index-wrong': error('An index names what is no address, too deep, or too many files'),
  'sitemap-unfinished': warning("The doctor's time was over before all files were read"),
  'sitemap-gzip-header': warning('"Content-Encoding" on what is not encoded so'),
  'sitemap-all-foreign': error("Every URL is another host's: nothing would be submitted"),
  'sitemap-foreign-urls': warning("Some URLs are another host's and are left out"),
  'sitemap-invalid-urls': warning('Some entries are no URLs and are left out'),
  'sitemap-too-many-urls': warning('A file with more than 50,000 URLs'),
  'sitemap-lastmod': ok('Every URL has a date that can be read'),
  'sitemap-lastmod-missing': warning('URLs without a lastmod: their changes are not noticed'),
  'sitemap-lastmod-invalid': warning('A lastmod that is no date'),
  'sitemap-lastmod-future': warning('A lastmod that is more than a day ahead'),

  engine: ok('The endpoint answers; nothing was submitted'),
  'engine-unreachable': error('The endpoint cannot be reached'),
  'engine-failing': warning('The endpoint answers with a server error'),
  'engine-rate-limited': warning('The endpoint asks to slow down'),
  'engine-not-found': warning('There is nothing at this address'),
  'engine-redirected': warning('The endpoint has moved'),
  'engine-insecure': warning('An http address: the key travels in the clear'),
  'engine-duplicate': warning('Two addresses of the same endpoint'),

  bing: ok('Bing knows the key and the site, and quota is left'),
  'bing-unreachable': error('Bing could not be asked'),
  'bing-key-invalid': error('Bing does not know the API key'),
  'bing-site-missing': error("The site is not in the key's account"),
  'bing-site-unverified': error("The site is in the key's account, but not verified"),
  'bing-quota-exhausted': warning('Nothing is left of the quota today'),
  'bing-resting': warning('The account was throttled and is left alone for a while'),

  clock: ok("This machine's time is that of the servers it asked"),
  'clock-off': warning('More than five minutes off'),
  'clock-wrong': error('More than a day off: quotas and dates go to the wrong day'),
  'clock-unknown': warning('No server told the time'),

  storage: ok('The store can be written, is whole and has room'),
  'storage-absent': ok('Nothing is stored yet'),
  'storage-unwritable': error('The data folder cannot be written'),
  'storage-unreadable': error('The database cannot be opened'),
  'storage-damaged': error('The database is damaged'),
  'storage-schema-newer': error('A newer version of Sluice wrote the database'),
  'storage-schema-older': warning(
    'An older version wrote the database; its sites were not looked at',
  ),
  'storage-full': error('Less than 16 MB are free'),
  'storage-low': warning('Less than 256 MB are free'),

  configuration: ok('Every variable is known and can be used'),
  'configuration-invalid': error('A variable has a value that cannot be used'),
  'configuration-doubtful': warning(
    'A variable that has no effect: misspelt, or without its partner',
  ),

  'check-unfinished': error('A check did not end within its time, or was stopped'),
  'check-failed': error('A check failed by a bug of its own'),
} as const satisfies Record<string, Code>

export type FindingCode = keyof typeof CODES
