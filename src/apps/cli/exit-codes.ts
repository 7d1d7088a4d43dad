/** What a command leaves behind for the script that called it. Fixed: scripts hold on to them. */
export const EXIT = {
  done: 0,
  /** Done in part, or failed: running it again may help. */
  failed: 1,
  /** Wrong use or configuration: running it again will not help. */
  wrongUse: 2,
  /** Another run holds the lock. */
  locked: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
