import { nextTick } from 'node:process'

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  done(answer: Answer): void
  failed(error: unknown): void
}

export interface GroupedCalls<Ask, Answer> {
  /** All of them or none, as one statement; the answers in the order of the asks. */
  together(asks: readonly Ask[]): Promise<readonly Answer[]>
  /** For one that cannot be done so. */
  alone(ask: Ask, refused: unknown): Promise<Answer>
  /** Nothing is under way, and nobody who was answered has asked again. */
  atRest(): void
}

/** More would only make a statement longer that others may have to wait for. */
const MOST_TOGETHER = 32

/** One is carried out while the answers of the other are read, and asked upon. More would be smaller, and cost more. */
const MOST_UNDER_WAY = 2

/** Of so many, half go first: the others follow while those are carried out, and so it stays. */
const FEWEST_TO_PART = 8

/**
 * Calls that come while others are under way wait for them, and then go together: one round trip and one sync of the disk
 * for all of them. Where nothing is under way a call does not wait. What is refused together is decided one by one.
 */
export function groupCalls<Ask, Answer>(calls: GroupedCalls<Ask, Answer>) {
  const waiting: Waiting<Ask, Answer>[] = []
  let underWay = 0
  let isNext = false
  const work = async () => {
    isNext = false
    if (underWay === 0 && waiting.length === 0) calls.atRest()
    if (underWay === MOST_UNDER_WAY || waiting.length === 0) return
    const isParted = underWay === 0 && waiting.length >= FEWEST_TO_PART
    const group = waiting.splice(
      0,
      isParted ? Math.min(Math.ceil(waiting.length / 2), MOST_TOGETHER) : MOST_TOGETHER,
    )
    underWay++
    if (waiting.length > 0) workNext()
    await answer(calls, group)
    underWay--
    workNext()
  }
  // Not before those who were answered together have all asked again.
  const workNext = () => {
    if (isNext) return
    isNext = true
    nextTick(() => void work())
  }
  return (ask: Ask) =>
    new Promise<Answer>((done, failed) => {
      waiting.push({ ask, done, failed })
      workNext()
    })
}

async function answer<Ask, Answer>(
  { together, alone }: GroupedCalls<Ask, Answer>,
  group: readonly Waiting<Ask, Answer>[],
): Promise<void> {
  try {
    const answers = await together(group.map(({ ask }) => ask))
    for (const [place, one] of answers.entries()) group[place]?.done(one)
  } catch (error) {
    await Promise.all(group.map((one) => answerAlone(alone, one, error)))
  }
}

async function answerAlone<Ask, Answer>(
  alone: GroupedCalls<Ask, Answer>['alone'],
  { ask, done, failed }: Waiting<Ask, Answer>,
  refused: unknown,
): Promise<void> {
  try {
    done(await alone(ask, refused))
  } catch (error) {
    failed(error)
  }
}
