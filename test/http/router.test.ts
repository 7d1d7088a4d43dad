import { TrieRouter } from 'hono/router/trie-router'
import { expect, it } from 'vitest'
import { httpRouter } from '../../src/http/router.ts'

const ROUTES = [
  ['ALL', '/*', 'gate'],
  ['GET', '/status', 'status'],
  ['GET', '/sites/new', 'form'],
  ['GET', '/sites/:id', 'site'],
  ['POST', '/sites/:id', 'change'],
  ['GET', '/badges/:name{.+\\.svg}', 'badge'],
] as const

const ASKED = [
  ['GET', '/status'],
  ['POST', '/status'],
  ['PURGE', '/status'],
  ['GET', '/sites/new'],
  ['POST', '/sites/new'],
  ['GET', '/sites/a.example'],
  ['GET', '/sites/b.example'],
  ['GET', '/badges/a/b.svg'],
  ['GET', '/sites/:id'],
  ['GET', '/nowhere'],
] as const

it('finds what Hono finds, however often it is asked', () => {
  const router = httpRouter<string>()
  const usual = new TrieRouter<string>()
  for (const [method, path, handler] of ROUTES) {
    router.add(method, path, handler)
    usual.add(method, path, handler)
  }

  const found = () => ASKED.map(([method, path]) => router.match(method, path))
  const [first, again] = [found(), found()]

  expect(first).toEqual(ASKED.map(([method, path]) => usual.match(method, path)))
  expect(again).toEqual(first)
  const kept = ASKED.filter((_, n) => again[n] === first[n])
  expect(kept.map(([method, path]) => `${method} ${path}`)).toEqual([
    'GET /status',
    'POST /status',
    'GET /sites/new',
    'POST /sites/new',
  ])
})

it('finds a route that was added later', () => {
  const router = httpRouter<string>()
  router.add('GET', '/status', 'status')
  router.match('GET', '/status')

  router.add('ALL', '/*', 'later')

  expect(router.match('GET', '/status')[0].map(([handler]) => handler)).toEqual(['status', 'later'])
})
