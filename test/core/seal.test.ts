import { createDecipheriv, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../src/core/random.ts'
import {
  describeUnsealFailure,
  masterKeysFrom,
  openSealer,
  type UnsealFailure,
} from '../../src/core/seal.ts'
import { Secret } from '../../src/core/secret.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'

const MASTER = new Secret('a-master-key-of-some-length')
const OTHER = new Secret('another-master-key-entirely')
const PURPOSE = 'site:example.com:bingApiKey'

/** All of base64url: the last character has bits that mean nothing, and must not be free to choose. */
const REPLACEMENTS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:.=+/ é'

const sealerOf = (keyId = 'k1', masterKey = MASTER) =>
  openSealer({ keyId, masterKey, random: systemRandom })

describe('seal', () => {
  scenario('C07', 'a secret comes back whole, and only through the sealer', async () => {
    const sealer = sealerOf()

    const sealed = await sealer.seal(new Secret('0123456789abcdef'), PURPOSE)
    const opened = await sealer.unseal(sealed, PURPOSE)

    expect(opened.ok && opened.value.reveal()).toBe('0123456789abcdef')
    expect(sealed).toMatch(/^sealed:v1:aes-256-gcm:k1:[\w-]+$/)
    expect(JSON.stringify(opened)).not.toContain('0123456789')
  })

  it('gives back any text, for any purpose', async () => {
    const sealer = sealerOf()
    const texts = fc.string({ unit: 'grapheme', maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(texts, texts, async (text, purpose) => {
        const opened = await sealer.unseal(await sealer.seal(new Secret(text), purpose), purpose)
        expect(opened.ok && opened.value.reveal()).toBe(text)
      }),
    )
  })

  it('keeps a byte order mark, and refuses what is not text rather than change it', async () => {
    const sealer = sealerOf()
    const opened = await sealer.unseal(await sealer.seal(new Secret('\uFEFFkey'), 'x'), 'x')
    expect(opened.ok && opened.value.reveal()).toBe('\uFEFFkey')
    await expect(sealer.seal(new Secret('half \uD800 pair'), 'x')).rejects.toThrow(/not Unicode/)
  })

  it('does not open for another purpose', async () => {
    const sealer = sealerOf()
    const purposes = fc.string({ unit: 'grapheme', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(purposes, purposes, async (purpose, elsewhere) => {
        fc.pre(purpose !== elsewhere)
        const sealed = await sealer.seal(new Secret('secret'), purpose)
        expect(await sealer.unseal(sealed, elsewhere)).toEqual({
          ok: false,
          failure: { kind: 'does-not-open', keyId: 'k1' },
        })
      }),
    )
  })

  it('does not open when any character of it is another, missing or doubled', async () => {
    const sealer = sealerOf()
    const sealed = await sealer.seal(new Secret('secret!'), PURPOSE)
    const changed = sealed.split('').flatMap((character, i) => {
      const [before, after] = [sealed.slice(0, i), sealed.slice(i + 1)]
      const others = REPLACEMENTS.split('').filter((other) => other !== character)
      const replaced = others.map((other) => before + other + after)
      return [...replaced, before + after, before + character + character + after]
    })

    for (const text of new Set(changed)) {
      expect((await sealer.unseal(text, PURPOSE)).ok, text).toBe(false)
    }
  })

  it('does not open when any bit is another', async () => {
    const sealer = sealerOf()
    const sealed = await sealer.seal(new Secret('secret'), PURPOSE)
    const body = sealed.lastIndexOf(':') + 1
    const bytes = Buffer.from(sealed.slice(body), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Uint8Array.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const text = sealed.slice(0, body) + Buffer.from(flipped).toString('base64url')
      expect(await sealer.unseal(text, PURPOSE)).toMatchObject({
        failure: { kind: 'does-not-open' },
      })
    }
  })

  it('is never the same twice', async () => {
    const sealer = sealerOf()
    const texts = await Promise.all(
      Array.from({ length: 50 }, () => sealer.seal(new Secret('same'), PURPOSE)),
    )
    expect(new Set(texts).size).toBe(50)
  })

  scenario('C07', 'a key is rotated without downtime: the old one still opens', async () => {
    const sealed = await sealerOf('k1', MASTER).seal(new Secret('secret'), PURPOSE)

    const rotated = openSealer({
      keyId: 'k2',
      masterKey: OTHER,
      oldKeys: masterKeysFrom(new Secret(`k0:0000000000000000, k1:${MASTER.reveal()}`)),
      random: systemRandom,
    })
    const opened = await rotated.unseal(sealed, PURPOSE)

    expect(opened.ok && opened.value.reveal()).toBe('secret')
    expect(rotated.keyIdOf(sealed)).toBe('k1')
    expect(rotated.keyIdOf(await rotated.seal(new Secret('secret'), PURPOSE))).toBe(rotated.keyId)
  })

  it('derives another key for another id, also from the same master key', async () => {
    const sealed = await sealerOf('k1').seal(new Secret('secret'), PURPOSE)
    const renamed = sealed.replace(':k1:', ':k2:')
    expect(await sealerOf('k2').unseal(renamed, PURPOSE)).toMatchObject({
      failure: { kind: 'does-not-open', keyId: 'k2' },
    })
  })

  it('tells why it does not open, and what to do', async () => {
    const sealer = sealerOf()
    const sealed = await sealer.seal(new Secret('secret'), PURPOSE)
    const failureOf = async (text: string) => {
      const opened = await sealer.unseal(text, PURPOSE)
      return opened.ok ? undefined : opened.failure
    }

    expect(await failureOf('plain')).toEqual({ kind: 'not-sealed' })
    expect(await failureOf('sealed:v1:aes-256-gcm:k1:')).toMatchObject({ kind: 'does-not-open' })
    expect(await failureOf(sealed.replace('v1', 'v2'))).toEqual({ kind: 'not-sealed' })
    expect(await failureOf(sealed.replace('aes-256-gcm', 'fernet'))).toEqual({
      kind: 'unknown-algorithm',
      algorithm: 'fernet',
    })
    expect(await failureOf(sealed.replace(':k1:', ':old.key:'))).toEqual({
      kind: 'unknown-key',
      keyId: 'old.key',
    })
    const failures: UnsealFailure[] = [
      { kind: 'not-sealed' },
      { kind: 'unknown-algorithm', algorithm: 'fernet' },
      { kind: 'unknown-key', keyId: 'k9' },
      { kind: 'does-not-open', keyId: 'k1' },
    ]
    for (const failure of failures) {
      expect(describeUnsealFailure(failure)).toMatch(/Set the secret again|or set the secret again/)
    }
    expect(sealer.keyIdOf('plain')).toBeUndefined()
  })

  it('refuses two keys of one id: it could not tell which of them opens', () => {
    const clash = { keyId: 'k1', masterKey: OTHER }
    const random = countingRandom()
    expect(() => openSealer({ keyId: 'k1', masterKey: MASTER, oldKeys: [clash], random })).toThrow(
      /"k1"/,
    )
    const same = [{ keyId: 'k1', masterKey: MASTER }]
    expect(openSealer({ keyId: 'k1', masterKey: MASTER, oldKeys: same, random }).keyId).toBe('k1')
  })

  it('seals as it always did, and as the format says', async () => {
    const sealer = openSealer({ keyId: 'k1', masterKey: MASTER, random: countingRandom() })
    expect(await sealer.seal(new Secret('golden'), PURPOSE)).toBe(GOLDEN)
    expect(openedByTheBook(GOLDEN)).toBe('golden')
  })
})

/** The format read by another implementation of AES and HKDF. */
function openedByTheBook(sealed: string): string {
  const [, header = '', text = ''] = /^(.*):([^:]*)$/.exec(sealed) ?? []
  const key = Buffer.from(hkdfSync('sha256', MASTER.reveal(), 'sluice', header, 32))
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(`${header}\n${PURPOSE}`))
  decipher.setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16)).toString() + decipher.final().toString()
}

/** Changing it makes every stored secret unreadable. */
const GOLDEN = 'sealed:v1:aes-256-gcm:k1:AAECAwQFBgcICQoL5YzkEe_L186coQqWVGsl7B__mAGSXg'
