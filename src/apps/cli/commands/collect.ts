import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

/** docs/operations.md says more of each. */
const IMPORT_FIELDS = `
A line is a whole note, or the address of one to be fetched:
  {"note_id": "42", "title": "A walk", "text": "Its words", "published_at": "2026-11-01T10:00:00+08:00"}
  {"platform": "page", "note_url": "https://blog.example.com/post"}

Fields:
  platform         page, feed, import, xhs or weibo (default: import)
  note_id          its id there; may be left out where note_url tells it
  note_url         where it is; also url or canonical_url
  title, text      what it says: one of them makes the line a whole note
  kind             text, image, video, article or audio (default: article)
  author           a name, or {"id", "name"}; kept as a hash
  tags, media      lists of words, and of addresses
  metrics          {"likes", "collects", "comments", "shares", "views"}
  published_at     a date, with its zone; without one it is read as UTC+8
  edited_at        the same
  source_keyword   what it was found with

A field that is not named here is refused, and its line with it.`

export function collectCommand(program: Command): void {
  const collect = addCommand(program, 'collect', {
    summary: 'notes from platforms: add, import, run, recover, status',
    examples: [
      ['sluice collect add https://blog.example.com/post', 'A public page to be fetched'],
      ['sluice collect run', 'Fetch what is waiting, and write it once'],
      ['sluice collect status', 'What waits, what runs, what is done'],
    ],
  })
  const add = addCommand(collect, 'add', {
    summary: 'add notes to be fetched, by their addresses',
    examples: [
      ['sluice collect add https://blog.example.com/a https://blog.example.com/b', 'Two pages'],
      ['sluice collect add --platform xhs "https://…?xsec_token=…"', 'With its token'],
    ],
  })
    .argument('<urls...>', 'addresses of notes')
    .option('--platform <platform>', 'where they are', 'page')
    .option('--keyword <words>', 'what they were found with')
  does(add, async () => (await import('./collect/change.ts')).runAddCandidates)

  const importing = addCommand(collect, 'import', {
    summary: 'bring notes or addresses, one JSON object a line',
    examples: [
      ['sluice collect import notes.jsonl', 'From a file'],
      ['sluice collect import - < notes.jsonl', 'From stdin'],
    ],
  })
    .argument('<file>', 'JSON Lines; - is stdin')
    .addHelpText('after', IMPORT_FIELDS)
  does(importing, async () => (await import('./collect/import.ts')).runImport)

  const run = addCommand(collect, 'run', {
    summary: 'collect what is waiting now',
    examples: [
      ['sluice collect run --json', 'What became of it'],
      ['sluice collect run --given-up', 'Once more, what failed three times'],
    ],
  }).option('--given-up', 'try what was given up once more, instead of what is waiting')
  does(run, async () => (await import('./collect/run.ts')).runCollect)

  const recover = addCommand(collect, 'recover', {
    summary: 'time out silent executions and free what they held',
    examples: [['sluice collect recover', 'As the server does every 15 minutes']],
  })
  does(recover, async () => (await import('./collect/change.ts')).runRecover)

  const status = addCommand(collect, 'status', {
    summary: 'what waits, what runs, what is done',
    examples: [['sluice collect status --json', 'For a script']],
  })
  does(status, async () => (await import('./collect/status.ts')).runCollectStatus)
}
