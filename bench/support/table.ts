/** Rows of text under a head: the first column to the left, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  )
}

export interface Bar {
  readonly meaning: string
  readonly measured: string
  readonly met: boolean
}

export function bars(all: readonly Bar[]): string {
  return table(
    ['bar', 'measured', ''],
    all.map(({ meaning, measured, met }) => [meaning, measured, met ? 'met' : 'MISSED']),
  )
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`
}
