/** What is used of the test runtime: its own types and those of the web do not go together. */
declare module 'cloudflare:test' {
  interface Stub {
    fetch(request: Request): Promise<Response>
    poke(siteId: string, dueAt: number): Promise<void>
  }
  interface Namespace {
    getByName(name: string): Stub
  }
  interface State {
    readonly storage: {
      readonly sql: {
        exec(statement: string, ...values: readonly unknown[]): Cursor
      }
      transactionSync<T>(work: () => T): T
      put(name: string, value: unknown): Promise<void>
      setAlarm(at: number): Promise<void>
      getAlarm(): Promise<number | null>
    }
  }
  interface KvNamespace {
    get(key: string, type: 'text'): Promise<string | null>
    get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
    put(
      key: string,
      value: string | Uint8Array,
      options?: { readonly expirationTtl: number },
    ): Promise<void>
    delete(key: string): Promise<void>
    list(ask: { readonly prefix: string; readonly cursor?: string }): Promise<{
      readonly keys: readonly { readonly name: string; readonly expiration?: number }[]
      readonly list_complete: boolean
      readonly cursor?: string
    }>
  }
  interface Cursor {
    toArray(): Record<string, string | number | null | ArrayBuffer>[]
    readonly rowsRead: number
    readonly rowsWritten: number
  }

  export const env: {
    readonly BARE: Namespace
    readonly SITES: Namespace
    readonly DIRECTORY: Namespace
    readonly SLUICE_KV: KvNamespace
  }
  export const SELF: { fetch(url: string, init?: RequestInit): Promise<Response> }
  export function runInDurableObject<T>(
    object: Stub,
    work: (instance: object, state: State) => T | Promise<T>,
  ): Promise<T>
  /** Rings now what would ring later; false where nothing is set. */
  export function runDurableObjectAlarm(object: Stub): Promise<boolean>
  export function listDurableObjectIds(namespace: Namespace): Promise<readonly unknown[]>
  export function evictDurableObject(object: Stub): Promise<void>
}
