import type { ShownSite } from '../../../../submit/sites.ts'
import { table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'

/** Every setting, a line each; those without a value are left out. */
export function printSite(site: ShownSite, terminal: Terminal): void {
  const rows = Object.entries(site)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)])
  for (const line of table(rows)) terminal.print(line.slice(2))
}
