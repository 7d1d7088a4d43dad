import { DurableObject } from 'cloudflare:workers'
import { NO_ASSETS } from '../../../src/apps/worker/worker-pages.ts'
import { openWorker } from '../../../src/apps/worker/worker.ts'

export { SiteDirectory } from '../../../src/apps/worker/site-directory.ts'
export { SiteRunner } from '../../../src/apps/worker/site-runner.ts'

/** An object that does nothing by itself: the tests work in its storage. */
export class BareObject extends DurableObject<unknown, unknown> {}

export default openWorker(NO_ASSETS)
