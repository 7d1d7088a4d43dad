import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { sluiceProgram } from '../../src/apps/cli/program.ts'

const FILE = 'docs/cli.md'
const COMMANDS = /(?<=<!-- From src\/apps\/cli.*-->\n)[^]*(?=<!-- end of the commands -->)/
const GLOBAL_OPTIONS = /\nGlobal Options:\n(?: .*\n)+/

it('X07 — docs/cli.md has the help of every command (UPDATE_DOCS=1 writes it)', () => {
  const before = readFileSync(FILE, 'utf8')
  const commands = leavesOf(sluiceProgram()).map(chapterOf).join('\n')

  if (process.env['UPDATE_DOCS']) {
    writeFileSync(
      FILE,
      before.replace(COMMANDS, () => commands),
    )
  }
  expect(COMMANDS.exec(readFileSync(FILE, 'utf8'))?.[0]).toBe(commands)
  expect(commands).toContain('## sluice submit\n')
})

/** The commands that do something, in the order of the help. */
function leavesOf(command: Command): readonly Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command]
}

function chapterOf(command: Command): string {
  return `## ${nameOf(command)}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

/** As `--help` prints it, without what is the same everywhere. */
function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 })
  command.outputHelp()
  return help.replace(GLOBAL_OPTIONS, '').trim()
}
