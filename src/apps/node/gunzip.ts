import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Gunzip, GzipBroken } from '../../submit/sitemap/gunzip.ts'

// Node's default of 16 KB a chunk takes three times as long. Twice as much as this gains little more, and chunks
// that wait for the collector weigh as much again. With room for two on either side, the other thread need not wait
// for this one: neither for more to decompress, nor for what it has to be taken.
const CHUNK_BYTES = 128 * 1024
const OPTIONS = { chunkSize: CHUNK_BYTES, highWaterMark: 2 * CHUNK_BYTES }

/** Decompresses on another thread while the chunk before is being scanned. */
export const nodeGunzip: Gunzip = (take) => {
  const stream = createGunzip(OPTIONS)
  let isStopped = false
  const pump = async (): Promise<Result<void, GzipBroken>> => {
    const chunks = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = await chunks.next().catch(() => undefined)
      if (isStopped) return ok(undefined)
      if (!next) return fail({ kind: 'gzip-broken' })
      if (next.done) return ok(undefined)
      const chunk = next.value as Uint8Array<ArrayBuffer>
      await take(chunk)
      free(chunk)
    }
  }
  const pumped = pump()
  // Whoever pushes learns of a failure in the end; until then it is nobody's.
  pumped.catch(() => undefined)
  return {
    async push(chunk) {
      if (stream.destroyed || stream.write(chunk)) return
      await Promise.race([once(stream, 'drain').catch(() => undefined), pumped])
    },
    async end() {
      stream.end()
      return pumped
    },
    stop() {
      isStopped = true
      stream.destroy()
    },
  }
}

/**
 * Frees a chunk that was taken. Left to the collector, the chunks of a large sitemap are 60 MB before it looks, and
 * each is new memory: that takes longer than the decompression.
 */
function free({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): void {
  // The stream fills a buffer in several steps: only what ends it is the last of it.
  if (byteOffset + byteLength === buffer.byteLength) buffer.transfer(0)
}
