/** The system's name for what went wrong, such as ENOENT; of an error without one, its words. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
