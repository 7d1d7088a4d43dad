import type { Clock } from '../../../src/core/clock.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import type { KvNamespace } from '../../../src/stores/kv/kv.ts'

/** https://developers.cloudflare.com/kv/platform/limits */
const MOST_KEY_BYTES = 512
const MOST_VALUE_BYTES = 25 * 1024 * 1024
const LEAST_TTL_SECONDS = 60
const ONE_WRITE_PER_MS = seconds(1)
/** A place that has read a key may go on giving back what it read. */
const READ_AGAIN_AFTER_MS = minutes(1)

interface Stored {
  readonly value: Uint8Array
  readonly expiresAt: number
}

/** Workers KV as its documents describe it: what local workerd leaves out are its limits and its patience. */
export interface KvStandIn {
  /** One of the places in the world: it sees its own writes at once, those of others up to a minute later. */
  place(): KvNamespace
  keys(): readonly string[]
  text(key: string): string | undefined
  ttlMs(key: string): number
  /** Takes a key away, as no one may. */
  lose(key: string): void
  /** Writes that were refused for coming too soon. */
  readonly refused: number
}

export function openKvStandIn(clock: Clock): KvStandIn {
  const stored = new Map<string, Stored>()
  const writtenAt = new Map<string, number>()
  let refused = 0
  const current = (key: string) => {
    const found = stored.get(key)
    return found && found.expiresAt > clock.now() ? found : undefined
  }
  const refuse = (why: string): never => {
    throw new Error(`KV PUT failed: ${why}`)
  }
  const place = (): KvNamespace => {
    const cached = new Map<string, { readonly found: Stored | undefined; readonly until: number }>()
    const read = (key: string) => {
      const known = cached.get(key)
      if (known && known.until > clock.now()) return known.found
      const found = current(key)
      cached.set(key, { found, until: clock.now() + READ_AGAIN_AFTER_MS })
      return found
    }
    const get = async (key: string, type: 'text' | 'arrayBuffer') => {
      const found = read(key)?.value
      if (!found) return null
      return type === 'text' ? new TextDecoder().decode(found) : found.slice().buffer
    }
    const keep = (key: string, found: Stored | undefined) => {
      if (found) stored.set(key, found)
      else stored.delete(key)
      cached.set(key, { found, until: clock.now() + READ_AGAIN_AFTER_MS })
    }
    return {
      get: get as KvNamespace['get'],
      async put(key, value, options) {
        const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value.slice()
        const ttl = options?.expirationTtl
        if (new TextEncoder().encode(key).length > MOST_KEY_BYTES) refuse('414 the key is too long')
        if (bytes.length > MOST_VALUE_BYTES) refuse('413 the value is too large')
        if (ttl !== undefined && ttl < LEAST_TTL_SECONDS) refuse('400 the TTL is too short')
        if (clock.now() - (writtenAt.get(key) ?? 0) < ONE_WRITE_PER_MS) {
          refused++
          refuse('429 Too Many Requests')
        }
        writtenAt.set(key, clock.now())
        const expiresAt = ttl === undefined ? Number.POSITIVE_INFINITY : clock.now() + seconds(ttl)
        keep(key, { value: bytes, expiresAt })
      },
      delete: async (key) => keep(key, undefined),
      async list({ prefix }) {
        const names = [...stored.keys()].filter((key) => key.startsWith(prefix) && current(key))
        return { keys: names.toSorted().map((name) => ({ name })), list_complete: true }
      },
    }
  }
  return {
    place,
    keys: () => [...stored.keys()].filter(current).toSorted(),
    text: (key) => {
      const found = current(key)?.value
      return found && new TextDecoder().decode(found)
    },
    ttlMs: (key) => (current(key)?.expiresAt ?? 0) - clock.now(),
    lose: (key) => void stored.delete(key),
    get refused() {
      return refused
    },
  }
}
