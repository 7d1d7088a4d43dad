import { DurableObject } from 'cloudflare:workers'
import worker from '../../../src/apps/worker/main.ts'

export { SiteDirectory, SiteRunner } from '../../../src/apps/worker/main.ts'

/** An object that does nothing by itself: the tests work in its storage. */
export class BareObject extends DurableObject<unknown, unknown> {}

export default worker
