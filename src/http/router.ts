import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** A path that matches nothing but itself. */
const WRITTEN_OUT = /^[^:*?{}]+$/

/**
 * Hono's trie: its fastest router refuses `/sites/new` beside `/sites/:id`. What is found for a path that is written out
 * is the same each time, and looked for once.
 */
export function httpRouter<T>(): Router<T> {
  const trie = new TrieRouter<T>()
  const writtenOut = new Set<string>()
  const found = new Map<string, Map<string, Result<T>>>()
  return {
    name: 'Sluice',
    add(method, path, handler) {
      trie.add(method, path, handler)
      if (WRITTEN_OUT.test(path)) writtenOut.add(path)
      found.set(method, new Map())
      for (const ofMethod of found.values()) ofMethod.clear()
    },
    match(method, path) {
      const ofMethod = found.get(method)
      const before = ofMethod?.get(path)
      if (before) return before
      const matched = trie.match(method, path)
      // Not of any path: whoever asks would fill the memory.
      if (writtenOut.has(path)) ofMethod?.set(path, matched)
      return matched
    },
  }
}
