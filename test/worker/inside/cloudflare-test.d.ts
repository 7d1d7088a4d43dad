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
      setAlarm(at: number): Promise<void>
      getAlarm(): Promise<number | null>
    }
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
  }
  export const SELF: { fetch(url: string, init?: RequestInit): Promise<Response> }
  export function runInDurableObject<T>(
    object: Stub,
    work: (instance: object, state: State) => T | Promise<T>,
  ): Promise<T>
  /** Rings now what would ring later; false where nothing is set. */
  export function runDurableObjectAlarm(object: Stub): Promise<boolean>
  export function evictDurableObject(object: Stub): Promise<void>
}
