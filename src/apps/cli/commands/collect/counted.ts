/** `1 note`, `2 notes` */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** `1 was known already`, `2 were known already` */
export function knownAlready(count: number): string {
  return `${count} ${count === 1 ? 'was' : 'were'} known already`
}
