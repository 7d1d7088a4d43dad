/** Columns of text; numbers are set right. Each line begins with two blanks. */
export function table(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, String(cell).length)
    })
  }
  const isNumeric = widths.map((_, i) => rows.slice(1).every((row) => typeof row[i] === 'number'))
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      isNumeric[i] ? String(cell).padStart(widths[i] ?? 0) : String(cell).padEnd(widths[i] ?? 0),
    )
    return `  ${cells.join('  ')}`.trimEnd()
  })
}
