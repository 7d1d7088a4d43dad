declare namespace Cloudflare {
  interface Env {
    readonly BARE: DurableObjectNamespace<import('./bare-object.ts').BareObject>
  }
}
