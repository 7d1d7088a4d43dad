import { fail, ok, type Result } from '../../core/result.ts'
import type { Gunzip, GzipBroken, Inflation } from './gunzip.ts'
import { MAX_GZIP_LAYERS } from './limits.ts'

/** A file's bytes on their way, decompressed if that is what they are: neither name nor header is believed. */
export interface Body {
  push(chunk: Uint8Array): Promise<void>
  end(): Promise<Result<void, GzipBroken>>
  stop(): void
}

type Take = (chunk: Uint8Array) => void | Promise<void>

export function openBody(gunzip: Gunzip, take: Take, layers = MAX_GZIP_LAYERS): Body {
  let first = new Uint8Array(0)
  let inflation: Inflation | undefined
  let inner: Body | undefined
  let isPlain = false
  const decide = async () => {
    if (layers > 0 && isGzip(first)) {
      const next = openBody(gunzip, take, layers - 1)
      inner = next
      inflation = gunzip((chunk) => next.push(chunk))
      return inflation.push(first)
    }
    isPlain = true
    if (first.length > 0) await take(first)
  }
  return {
    async push(chunk) {
      // What another layer hands over is gone when it is taken; this one decompresses it later.
      if (inflation) return inflation.push(layers < MAX_GZIP_LAYERS ? new Uint8Array(chunk) : chunk)
      if (isPlain) return take(chunk)
      first = joined(first, chunk)
      if (first.length >= 2) await decide()
    },
    async end() {
      if (!inflation && !isPlain) await decide()
      const inflated = (await inflation?.end()) ?? ok(undefined)
      const ended = (await inner?.end()) ?? ok(undefined)
      return inflated.ok ? ended : fail(inflated.failure)
    },
    stop() {
      inflation?.stop()
      inner?.stop()
    },
  }
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
