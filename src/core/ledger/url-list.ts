import { DamagedLedger } from './damaged-ledger.ts'
import { type UrlLines, urlLinesOf, urlOfLine } from './url-lines.ts'

/**
 * URLs that must be named again (failed, vanished, waiting), one per line, deflated. Order and repetitions are kept.
 * Writing only where each differs from the one before saved less than a tenth, so lines are whole.
 */
export async function packUrls(urls: readonly string[]): Promise<Uint8Array> {
  return packLines(urlLinesOf(urls))
}

export function packLines({ bytes, length }: UrlLines): Promise<Uint8Array> {
  return through(bytes.subarray(0, length), new CompressionStream('deflate-raw'))
}

export async function unpackUrls(packed: Uint8Array): Promise<string[]> {
  const text = await inflate(packed).catch((cause: unknown) => {
    throw new DamagedLedger('list of URLs', 'it does not unpack', { cause })
  })
  return text.split('\n').slice(0, -1).map(urlOfLine)
}

async function inflate(packed: Uint8Array): Promise<string> {
  const source = packed as Uint8Array<ArrayBuffer>
  const bytes = await through(source, new DecompressionStream('deflate-raw'))
  // A byte order mark at the start belongs to the first URL.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

async function through(
  bytes: BufferSource,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const source = new Blob([bytes]).stream()
  return new Uint8Array(await new Response(source.pipeThrough(transform)).arrayBuffer())
}
