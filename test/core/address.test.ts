import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrivateAddress, isPrivateHost } from '../../src/core/address.ts'
import { scenario } from '../support/scenario.ts'

const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:db8::1',
  '4000::1',
]
const PUBLIC = [
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.255.255',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
]

describe('addresses', () => {
  scenario(
    'X04',
    'private, loopback and link-local addresses are private in every spelling',
    () => {
      expect(PRIVATE.filter((address) => !isPrivateAddress(address))).toEqual([])
      expect(PUBLIC.filter(isPrivateAddress)).toEqual([])
    },
  )

  it('takes what is no address for private: it cannot be vouched for', () => {
    for (const text of ['', 'example.com', '1.2.3.4.5', '256.1.1.1', 'g::1']) {
      expect(isPrivateAddress(text)).toBe(true)
    }
  })

  it('finds no public address in the private networks', () => {
    const byte = fc.nat(255)
    const inside = fc.oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    )
    fc.assert(
      fc.property(inside, (bytes) => {
        const address = bytes.join('.')
        expect(isPrivateAddress(address)).toBe(true)
        expect(isPrivateAddress(`::ffff:${address}`)).toBe(true)
        expect(isPrivateHost(new URL(`http://${address}/`).hostname)).toBe(true)
      }),
    )
  })
})

describe('hosts', () => {
  scenario('X04', 'a host of a URL is private by its spelling, however that is bent', () => {
    const bent = [
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://127.0.0.1./',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://１２７.0.0.1/',
    ]
    expect(bent.filter((url) => !isPrivateHost(new URL(url).hostname))).toEqual([])
  })

  it('leaves names to those who resolve them', () => {
    const names = [
      'example.com',
      'localhost.example.com',
      'notlocalhost',
      '10.example.com',
      '8.8.8.8',
    ]
    expect(names.filter(isPrivateHost)).toEqual([])
    expect(isPrivateHost('')).toBe(true)
  })
})
