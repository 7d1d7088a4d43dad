import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fernetKey, fernetPlain, fernetToken } from '../../src/core/fernet.ts'
import { type Random, systemRandom } from '../../src/core/random.ts'

/** The specification's generate.json, verify.json and invalid.json. */
const SECRET = 'cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4='
const TOKEN =
  'gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA=='
const MADE_AT = Date.parse('1985-10-26T01:20:00-07:00')
const TTL_MS = 60_000

const INVALID: Record<string, readonly [token: string, atMs?: number]> = {
  'incorrect mac': [
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykQUFBQUFBQUFBQQ==',
  ],
  'too short': ['gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPA=='],
  'invalid base64': [
    '%%%%%%%%%%%%%AECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==',
  ],
  'payload size not multiple of block size': [
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPOm73QeoCk9uGib28Xe5vz6oxq5nmxbx_v7mrfyudzUm',
  ],
  'payload padding error': [
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0ODz4LEpdELGQAad7aNEHbf-JkLPIpuiYRLQ3RtXatOYREu2FWke6CnJNYIbkuKNqOhw==',
  ],
  'far-future TS (unacceptable clock skew)': [
    'gAAAAAAdwStRAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAnja1xKYyhd-Y6mSkTOyTGJmw2Xc2a6kBd-iX9b_qXQcw==',
  ],
  'expired TTL': [
    'gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==',
    Date.parse('1985-10-26T01:21:31-07:00'),
  ],
  'incorrect IV (causes padding error)': [
    'gAAAAAAdwJ6xBQECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAkLhFLHpGtDBRLRTZeUfWgHSv49TF2AUEZ1TIvcZjK1zQ==',
  ],
}

const key = () => fernetKey(new Uint8Array(Buffer.from(SECRET, 'base64url')))
const counting: Random = {
  ...systemRandom,
  bytes: (count) => Uint8Array.from({ length: count }, (_, n) => n),
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

describe('Fernet', () => {
  it('makes the token of the specification', async () => {
    const token = await fernetToken(await key(), utf8('hello'), { now: MADE_AT, random: counting })
    expect(token).toBe(TOKEN)
  })

  it('opens the token of the specification', async () => {
    const now = MADE_AT + 1_000
    expect(textOf(await fernetPlain(await key(), TOKEN, { now, ttlMs: TTL_MS }))).toBe('hello')
    expect(textOf(await fernetPlain(await key(), TOKEN))).toBe('hello')
  })

  it.each(Object.entries(INVALID))('refuses: %s', async (_, [token, now = MADE_AT + 1_000]) => {
    expect(await fernetPlain(await key(), token, { now, ttlMs: TTL_MS })).toBeUndefined()
  })

  it('refuses only by age what is but too old or too new', async () => {
    for (const name of ['expired TTL', 'far-future TS (unacceptable clock skew)']) {
      expect(await fernetPlain(await key(), INVALID[name]?.[0] ?? '')).toBeDefined()
    }
  })

  it('takes no key of another length', async () => {
    await expect(fernetKey(new Uint8Array(16))).rejects.toThrow('32 bytes')
  })
})

const PYTHON = `
import sys, json
from cryptography.fernet import Fernet
given = json.load(sys.stdin)
f = Fernet(given["key"])
print(json.dumps({"opened": f.decrypt(given["token"].encode()).decode(), "made": f.encrypt("来自 Python".encode()).decode()}))
`
const hasPython = spawnSync('python3', ['-c', 'import cryptography.fernet']).status === 0

describe("Python's cryptography", () => {
  it.skipIf(!hasPython)(
    'opens ours, and we open its (skipped where python3 has none)',
    async () => {
      const token = await fernetToken(await key(), utf8('来自 Sluice'), {
        now: Date.now(),
        random: systemRandom,
      })

      const input = JSON.stringify({ key: SECRET, token })
      const python = spawnSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' })
      const { opened, made } = JSON.parse(python.stdout) as { opened: string; made: string }

      expect(opened).toBe('来自 Sluice')
      expect(textOf(await fernetPlain(await key(), made))).toBe('来自 Python')
    },
  )
})
