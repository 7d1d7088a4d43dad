import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** What servers are asked for. Of `deflate` there are two kinds, and they do not say which they send. */
export const WANTED_CODINGS = 'gzip, br'

/** More of them than any server needs would only be there to cost something. */
const MOST_CODINGS = 5

const CHUNK_BYTES = 64 * 1024

/** An answer's body without its codings. One that is unknown is left alone, and all that lie inside of it. */
export function decodedBody(answer: IncomingMessage): Readable {
  const codings = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',')
  if (codings.length > MOST_CODINGS) return answer
  let body: Readable = answer
  for (const coding of codings.toReversed()) {
    const decoder = DECODERS.get(coding.trim())
    if (!decoder) break
    // Whoever reads the last of them is told when any of them fails.
    body = pipeline(body, decoder(), () => undefined)
  }
  return body
}

// What arrived of a body that ends early is handed over: whoever reads it knows best what is missing.
const LENIENT = {
  flush: constants.Z_SYNC_FLUSH,
  finishFlush: constants.Z_SYNC_FLUSH,
  chunkSize: CHUNK_BYTES,
}

const LENIENT_BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
  chunkSize: CHUNK_BYTES,
}

/** Not an object: a server may name anything that one has. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(LENIENT)],
  ['x-gzip', () => createGunzip(LENIENT)],
  ['deflate', () => createInflate(LENIENT)],
  ['br', () => createBrotliDecompress(LENIENT_BROTLI)],
])
