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

/**
 * Calls that come while others are under way wait for them, and then go together: one round trip and one sync of the disk
 * for all of them. Two groups side by side would be smaller, and get into each other's way in the database. Where nothing
 * is under way a call does not wait. What is refused together is decided one by one.
 */
export function groupCalls<Ask, Answer>(calls: GroupedCalls<Ask, Answer>) {
  const waiting: Waiting<Ask, Answer>[] = []
  let isUnderWay = false
  let isScheduled = false
  const sendGroup = async () => {
    isScheduled = false
    if (isUnderWay) return
    if (waiting.length === 0) return calls.atRest()
    isUnderWay = true
    await answer(calls, waiting.splice(0, MOST_TOGETHER))
    isUnderWay = false
    sendSoon()
  }
  // Not before those who were answered together have all asked again.
  const sendSoon = () => {
    if (isScheduled) return
    isScheduled = true
    nextTick(() => void sendGroup())
  }
  return (ask: Ask) =>
    new Promise<Answer>((done, failed) => {
      waiting.push({ ask, done, failed })
      sendSoon()
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
