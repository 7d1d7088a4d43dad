import { styleText } from 'node:util'
import { systemRandom } from '../../core/random.ts'
import { EXIT } from './exit-codes.ts'

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
  return {
    isInteractive: stderr.isTTY === true,
    isQuiet,
    columns: () => stderr.columns ?? USUAL_COLUMNS,
    print: (line) => void stdout.write(`${printable(line)}\n`),
    say: (line) => {
      if (!isQuiet) stderr.write(`${printable(line)}\n`)
    },
    complain: (line) => void stderr.write(`${printable(line)}\n`),
    draw: (text) => void stderr.write(text),
    paint: (colour, words, stream = 'stderr') =>
      styleText(colour, words, { stream: process[stream] }).replaceAll(ESCAPE, OWN_ESCAPE),
  }
}

const ESCAPE = '\u001B'
/** Stands for the escapes of our own colours until they are written; nobody else can know it. */
const OWN_ESCAPE = `<${systemRandom.uuid()}>`
/** What moves the cursor, rings, or turns the direction of writing; not the line breaks and tabs of our own. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** What others chose the words of cannot steer the terminal. In a JSON document the escape means the same. */
function printable(text: string): string {
  const escaped = text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.replaceAll(OWN_ESCAPE, ESCAPE)
}

/** For whatever is written from here on, also by others. */
export function endOnClosedOutput(): void {
  const { stdout, stderr } = process
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read the output has gone, as `head` does after its lines.
    if (error.code === 'EPIPE') process.exit()
    stderr.write(`✖ The output cannot be written (${error.code ?? error.message}).\n`)
    process.exit(EXIT.failed)
  })
}
