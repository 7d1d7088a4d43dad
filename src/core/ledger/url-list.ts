import { DamagedLedger } from './damaged-ledger.ts'

/**
 * URLs that must be named again (failed, vanished, waiting), one per line, deflated. Order and repetitions are kept.
 * Writing only where each differs from the one before saved less than a tenth, so lines are whole.
 */
export async function packUrls(urls: readonly string[]): Promise<Uint8Array> {
  if (urls.some((url) => url.includes('\n'))) throw new TypeError('A URL holds no line break.')
  return through(linesOf(urls), new CompressionStream('deflate-raw'))
}

export async function unpackUrls(packed: Uint8Array): Promise<string[]> {
  const text = await inflate(packed).catch((cause: unknown) => {
    throw new DamagedLedger('list of URLs', 'it does not unpack', { cause })
  })
  return text.split('\n').slice(0, -1).map(urlOfLine)
}

async function inflate(packed: Uint8Array): Promise<string> {
  const source = [packed as Uint8Array<ArrayBuffer>]
  const bytes = await through(source, new DecompressionStream('deflate-raw'))
  // A byte order mark at the start belongs to the first URL.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

const URLS_PER_CHUNK = 1_000

// In chunks, so that the text of a long list is never held as a whole.
function* linesOf(urls: readonly string[]): Generator<Uint8Array<ArrayBuffer>> {
  const utf8 = new TextEncoder()
  for (let at = 0; at < urls.length; at += URLS_PER_CHUNK) {
    const lines = urls.slice(at, at + URLS_PER_CHUNK).map(lineOfUrl)
    yield utf8.encode(`${lines.join('\n')}\n`)
  }
}

// Half a surrogate pair has no UTF-8 form. It comes in JSON, and the URL must be sent as it came.
const ESCAPED = '\0'
const NEEDS_ESCAPE = /^\0|\p{Surrogate}/u

function lineOfUrl(url: string): string {
  return NEEDS_ESCAPE.test(url) ? ESCAPED + JSON.stringify(url) : url
}

function urlOfLine(line: string): string {
  return line.startsWith(ESCAPED) ? String(JSON.parse(line.slice(1))) : line
}

async function through(
  chunks: Iterable<BufferSource>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const iterator = chunks[Symbol.iterator]()
  const source = new ReadableStream<BufferSource>({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  return new Uint8Array(await new Response(source.pipeThrough(transform)).arrayBuffer())
}
