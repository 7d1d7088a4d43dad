import { fail, ok, type Result } from '../../core/result.ts'

export type GzipBroken = { readonly kind: 'gzip-broken' }

/** A file being decompressed. After `stop`, or after a failure, nothing more is handed over. */
export interface Inflation {
  /** Resolves when more may be pushed; what comes out has not all been taken by then. */
  push(chunk: Uint8Array): Promise<void>
  /** Resolves when everything has been taken. Data that end early or are damaged end as a failure. */
  end(): Promise<Result<void, GzipBroken>>
  stop(): void
}

/**
 * Decompresses gzip and hands over each chunk as it is ready; the next waits until `take` is done, and the chunk may
 * be gone then.
 * A port, because Node's own decompressor works while the chunk before is being scanned.
 */
export type Gunzip = (take: (chunk: Uint8Array) => void | Promise<void>) => Inflation

/** For runtimes that only have the web's own decompressor. */
export const webGunzip: Gunzip = (take) => {
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  const reader = readable.getReader()
  let isStopped = false
  const pump = async (): Promise<Result<void, GzipBroken>> => {
    for (;;) {
      const read = await reader.read().catch(() => undefined)
      if (isStopped) return ok(undefined)
      if (!read) return fail({ kind: 'gzip-broken' })
      if (read.value) await take(read.value)
      if (read.done) return ok(undefined)
    }
  }
  const pumped = pump()
  // Whoever pushes learns of a failure in the end; until then it is nobody's.
  pumped.catch(() => undefined)
  return {
    async push(chunk) {
      await Promise.race([writer.write(chunk as BufferSource).catch(() => undefined), pumped])
    },
    async end() {
      writer.close().catch(() => undefined)
      return pumped
    },
    stop() {
      isStopped = true
      writer.abort().catch(() => undefined)
    },
  }
}
