/** The API tells what to do next in its own words. Here each has a command. */
const WORDS: readonly (readonly [said: RegExp, instead: string])[] = [
  [/\bGET \/api\/sites\/(\S+?)\/runs\b/g, '`sluice status $1`'],
  [/\bGET \/api\/sites\b(?!\/)/g, '`sluice sites list`'],
  [/\bPOST \/api\/sites\b/g, '`sluice sites add`'],
  [/\bPUT \/api\/sites\/([^\s.,]+(?:\.[^\s.,]+)*)/g, '`sluice sites set $1`'],
  [/\bGET \/status\?site=([^\s.,;]+(?:\.[^\s.,;]+)*)/g, '`sluice status $1`'],
  [/\bGET \/v1\/cookies\b/g, '`sluice cookies list`'],
  [/\bGET \/v1\/(?:candidates\?status=failed|executions|adapters)\b/g, '`sluice collect status`'],
  [/ with \?site=\./g, '.'],
  [/, percent-encoded: \?url=\S+/g, ', such as https://example.com/page'],
]

/** A message of the API, for one who types commands. */
export function inCommands(message: string): string {
  const text = WORDS.reduce((so, [said, instead]) => so.replaceAll(said, instead), message)
  // An address has its id percent-encoded, a command as it is.
  return text.replaceAll(/`sluice [^`]*%3A[^`]*`/g, (command) => command.replaceAll('%3A', ':'))
}
