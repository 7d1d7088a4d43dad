import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/core/nearest-name.ts'

const FIELDS = ['id', 'sitemapUrl', 'sitemapUrls', 'enabled']

describe('the nearest name', () => {
  it.each([
    ['sitemap_url', 'sitemapUrl'],
    ['SitemapURL', 'sitemapUrl'],
    ['sitmapUrl', 'sitemapUrl'],
    ['enabeld', undefined],
    ['enable', 'enabled'],
    ['ID', 'id'],
    ['key', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('to %s is %s', (name, meant) => {
    expect(nearestName(name, FIELDS)).toBe(meant)
  })

  it('is as near as it is asked to be', () => {
    expect(nearestName('HOME', ['HOST'], () => 1)).toBeUndefined()
    expect(nearestName('HOME', ['HOST'], () => 2)).toBe('HOST')
  })
})
