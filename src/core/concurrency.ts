/**
 * Maps in order, with at most `limit` calls under way. After the first rejection no further call starts, and those
 * under way are over before it is passed on: nothing goes on behind the caller's back.
 */
export async function mapWithConcurrency<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  if (!(limit >= 1)) throw new RangeError(`limit is ${limit}: nothing would be mapped`)
  const results: R[] = []
  let next = 0
  const errors: unknown[] = []
  const lane = async () => {
    while (next < items.length && errors.length === 0) {
      const index = next++
      try {
        results[index] = await map(items[index] as T, index)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
  if (errors.length > 0) throw errors[0]
  return results
}
