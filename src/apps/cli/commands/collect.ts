import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

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
  }).argument('<file>', 'JSON Lines; - is stdin')
  does(importing, async () => (await import('./collect/import.ts')).runImport)

  const run = addCommand(collect, 'run', {
    summary: 'collect what is waiting now',
    examples: [['sluice collect run --json', 'What became of it']],
  })
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
