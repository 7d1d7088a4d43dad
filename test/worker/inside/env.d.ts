import type { BareObject, SiteRunner } from './bare-object.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      readonly BARE: DurableObjectNamespace<BareObject>
      readonly SITES: DurableObjectNamespace<SiteRunner>
    }
  }
}
