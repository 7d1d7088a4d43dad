import { equalInConstantTime } from '../../core/secret.ts'
import { listSites, type SitesOptions } from '../../submit/sites.ts'

/** Whether a site has this key. */
export async function hasIndexNowKey(sites: SitesOptions, key: string): Promise<boolean> {
  const all = await listSites(sites)
  const same = all.map((site) => site.ok && equalInConstantTime(key, site.value.apiKey.reveal()))
  return same.includes(true)
}

const KEY_FILE = /^\/([A-Za-z0-9-]{8,128})\.txt$/

/**
 * `/{key}.txt`: the proof that IndexNow asks for. A route of the site's domain to the Worker is then all there is to set
 * up. Who asks knows the key already, so that nothing is given away. Not one of the routes: those log what is asked for.
 * Undefined where it is no key of a site.
 */
export async function answerKeyFile(
  request: Request,
  hasKey: (key: string) => Promise<boolean>,
): Promise<Response | undefined> {
  const key = KEY_FILE.exec(URL.parse(request.url)?.pathname ?? '')?.[1]
  if (key === undefined || request.method !== 'GET' || !(await hasKey(key))) return undefined
  return new Response(key, { headers: KEY_FILE_HEADERS })
}

const KEY_FILE_HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
}
