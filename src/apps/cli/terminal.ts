import { styleText } from 'node:util'

export type Colour = Parameters<typeof styleText>[0]
type Stream = 'stdout' | 'stderr'

/** Where a command writes. stdout carries what was asked for and nothing else; everything said about it is on stderr. */
export interface Terminal {
  /** Whether a person looks at stderr, so that lines can be drawn anew. */
  readonly isInteractive: boolean
  readonly isQuiet: boolean
  /** Of stderr; 80 where nobody knows. */
  columns(): number
  /** A line of what was asked for. */
  print(line: string): void
  /** A line about it; none with `--quiet`. */
  say(line: string): void
  /** A line that is needed also with `--quiet`. */
  complain(line: string): void
  /** To stderr as it is, for what draws over itself. */
  draw(text: string): void
  /** With colour where the stream shows it: NO_COLOR, FORCE_COLOR and pipes are honoured. */
  paint(colour: Colour, words: string, stream?: Stream): string
}

const USUAL_COLUMNS = 80

export function openTerminal({ quiet: isQuiet }: { readonly quiet: boolean }): Terminal {
  const { stdout, stderr } = process
  // Whoever read the output has gone, as `head` does after its lines.
  stdout.on('error', endOnClosedPipe)
  stderr.on('error', () => undefined)
  return {
    isInteractive: stderr.isTTY === true,
    isQuiet,
    columns: () => stderr.columns ?? USUAL_COLUMNS,
    print: (line) => void stdout.write(`${line}\n`),
    say: (line) => {
      if (!isQuiet) stderr.write(`${line}\n`)
    },
    complain: (line) => void stderr.write(`${line}\n`),
    draw: (text) => void stderr.write(text),
    paint: (colour, words, stream = 'stderr') =>
      styleText(colour, words, { stream: process[stream] }),
  }
}

function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit()
  throw error
}
