/** The same items in order, in batches of exactly `size`; only the last may be smaller. */
export async function* batchesOf<T>(
  chunks: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  size: number,
): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const chunk of chunks) {
    let at = 0
    while (at < chunk.length) {
      const taken = chunk.slice(at, at + size - batch.length)
      batch.push(...taken)
      at += taken.length
      if (batch.length < size) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
