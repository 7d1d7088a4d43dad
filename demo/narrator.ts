import { styleText } from 'node:util'
import type { LogLine } from '../src/core/log.ts'

/** Tells a person what the server logs while it works, in whole sentences. */
export interface Narrator {
  chapter(title: string): void
  say(...lines: readonly string[]): void
  /** One line of the server's log. */
  hear(line: LogLine): void
}

export const count = (number: number) => number.toLocaleString('en')

export function openNarrator(
  names: (engine: string) => string,
  stream: NodeJS.WriteStream = process.stdout,
): Narrator {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream })
  const print = (text: string) => void stream.write(`${text}\n`)
  const searched = new Map<string, number>()

  const sentences: Partial<Record<string, (line: LogLine) => string | undefined>> = {
    'run.started': () => {
      searched.clear()
      return undefined
    },
    'sitemap.read': ({ total, new: due, files }) =>
      total === undefined
        ? undefined
        : `read ${Number(files)} sitemap files: ${count(Number(total))} pages, ${count(Number(due))} to submit`,
    'indexnow.batch': (line) => {
      const engine = names(String(line['engine']))
      const urls = count(Number(line['count']))
      if (line['status'] === 200) {
        return searched.has(engine) ? undefined : `${engine} accepts ${urls} pages (200)`
      }
      if (line['status'] === 202)
        return `${engine} accepts ${urls} pages, and will check the key (202)`
      if (line['status'] !== 422) return undefined
      const before = searched.get(engine) ?? 0
      searched.set(engine, before + 1)
      return before > 0
        ? undefined
        : `${engine} rejects ${urls} pages because of some of them (422): halving the batch to find which`
    },
    'indexnow.engine_done': (line) => {
      const engine = names(String(line['engine']))
      return searched.has(engine)
        ? `${engine} has the rest, found in ${String(line['requests'])} requests`
        : undefined
    },
    'indexnow.rejected': (line) =>
      `${names(String(line['engine']))} rejects one page; the others go through`,
    'indexnow.retry': (line) =>
      `${names(String(line['engine']))} answers ${String(line['status'])}: waiting ${Number(line['waitMs']) / 1000} s (${line.msg})`,
    'bing.batch': (line) =>
      `Bing accepts ${String(line['count'])} pages (${String(line['status'])})`,
    'bing.quota_exhausted': () => "Bing's quota of the day is used up; tomorrow is another",
  }
  return {
    chapter: (title) => print(`\n${paint('bold', title)}`),
    say: (...lines) => lines.forEach((line) => print(`  ${line}`)),
    hear(line) {
      const sentence = sentences[line.event]?.(line)
      if (sentence === undefined) return
      const time = paint('gray', line.time.slice(11, 19))
      print(`  ${time}  ${line.level === 'info' ? sentence : paint('yellow', sentence)}`)
    },
  }
}
