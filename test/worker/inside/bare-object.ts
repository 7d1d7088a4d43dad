import { DurableObject } from 'cloudflare:workers'

/** An object that does nothing by itself: the tests work in its storage. */
export class BareObject extends DurableObject {}

export default { fetch: () => new Response('nothing here') }
