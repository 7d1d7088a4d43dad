import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** What servers are asked for. Of `deflate` there are two kinds, and they do not say which they send. */
export const WANTED_CODINGS = 'gzip, br'

/** More of them than any server needs would only be there to cost something. */
const MOST_CODINGS = 5

const CHUNK_BYTES = 64 * 1024

type Decoder = Transform & { readonly bytesWritten: number }

/** An answer's body without its codings. One that is unknown is left alone, and all that lie inside of it. */
export function decodedBody(answer: IncomingMessage): Readable {
  const { 'content-encoding': named = '' } = answer.headers
  const codings = named.toLowerCase().split(',')
  if (codings.length > MOST_CODINGS) return answer
  let body: Readable = answer
  for (const coding of codings.toReversed()) {
    const decoder = DECODERS.get(coding.trim())
    if (!decoder) break
    // Whoever reads the last of them is told when any of them fails.
    body = pipeline(body, allowingNone(decoder()), () => undefined)
  }
  return body
}

/** Where not one byte came, none was cut off: a redirect or an error often has no body, and names its coding all the same. */
function allowingNone(decoder: Decoder): Decoder {
  const flush = decoder._flush.bind(decoder)
  decoder._flush = (done) => (decoder.bytesWritten === 0 ? done() : flush(done))
  return decoder
}

// What arrived of a body that ends early is handed over, and then that it ended early.
const AS_IT_COMES = {
  flush: constants.Z_SYNC_FLUSH,
  chunkSize: CHUNK_BYTES,
}

const BROTLI_AS_IT_COMES = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  chunkSize: CHUNK_BYTES,
}

/** Not an object: a server may name anything that one has. */
const DECODERS = new Map<string, () => Decoder>([
  ['gzip', () => createGunzip(AS_IT_COMES)],
  ['x-gzip', () => createGunzip(AS_IT_COMES)],
  ['deflate', () => createInflate(AS_IT_COMES)],
  ['br', () => createBrotliDecompress(BROTLI_AS_IT_COMES)],
])
