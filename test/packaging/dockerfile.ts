export interface Instruction {
  readonly name: string
  readonly rest: string
}

const INSTRUCTIONS = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
)

/** The stages of a Dockerfile, each with its instructions. Throws at what Docker would not take. */
export function readDockerfile(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (\S.*)$/.exec(line) ?? []
    if (!INSTRUCTIONS.has(name)) throw new Error(`not an instruction: ${line}`)
    if (name === 'FROM') stages.push([])
    const stage = stages.at(-1)
    if (!stage) throw new Error(`before FROM: ${line}`)
    stage.push({ name, rest })
  }
  return stages
}

export const restsOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)

/** A command as a list of words, without a shell that would keep signals from it. */
export function wordsOf(command: string): readonly string[] {
  const words: unknown = JSON.parse(command)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw new Error(`not a list of words: ${command}`)
  }
  return words
}
