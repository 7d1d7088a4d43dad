/**
 * Stored bytes are not what this version writes: cut short, overwritten, or of a newer version.
 * Nothing may be written over them: the way back is a backup, or forgetting the site's ledger.
 */
export class DamagedLedger extends Error {
  override readonly name = 'DamagedLedger'

  constructor(part: string, reason: string, options?: ErrorOptions) {
    super(`The ledger's ${part} cannot be read: ${reason}.`, options)
  }
}
