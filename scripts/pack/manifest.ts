import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** What a user's npm needs to know. Scripts and dependencies are the checkout's: the packed file needs none. */
const PACKED_FIELDS = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'bin',
  'files',
  'engines',
] as const

const MANIFEST = 'package.json'
const ASIDE = 'dist/package.checkout.json'

/** npm packs the manifest that it finds in the folder: for that moment it is the users' one. */
export function putPackedManifest(): void {
  // Left there by a packing that was broken off: that one is the checkout's.
  restoreManifest()
  const whole = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, unknown>
  const packed = Object.fromEntries(PACKED_FIELDS.map((field) => [field, whole[field]]))
  writeFileSync(ASIDE, readFileSync(MANIFEST))
  const draft = `${ASIDE}.new`
  writeFileSync(draft, `${JSON.stringify(packed, undefined, 2)}\n`)
  renameSync(draft, MANIFEST)
}

export function restoreManifest(): void {
  if (!existsSync(ASIDE)) return
  writeFileSync(MANIFEST, readFileSync(ASIDE))
  rmSync(ASIDE)
}
