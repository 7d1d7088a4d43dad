import type { BareObject } from './bare-object.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      readonly BARE: DurableObjectNamespace<BareObject>
    }
  }
}
