import { medianOf, type Benchmark, type Results } from './support/benchmark.ts'
import {
  bullMq,
  contender,
  graphileWorker,
  hasRedis,
  pgBoss,
  sluiceOnPostgres,
  sluiceOnSqlite,
  WORKERS,
} from './support/claim-queues.ts'
import { bars, table, times, whole } from './support/table.ts'

const RECORDS = Number(process.env['CLAIM_RECORDS'] ?? 20_000)
const FEW = 1_000
const MANY = Number(process.env['CLAIM_MANY'] ?? 200_000)

const SQLITE = contender('Sluice, SQLite (FULL)', RECORDS, sluiceOnSqlite)
const POSTGRES = contender('Sluice, PostgreSQL', RECORDS, sluiceOnPostgres)
const GRAPHILE = contender('graphile-worker', RECORDS, graphileWorker('queue-each'))
const GRAPHILE_AT_BEST = contender(
  'graphile-worker, one queue',
  RECORDS,
  graphileWorker('one-queue'),
)
const PG_BOSS = contender('pg-boss', RECORDS, pgBoss)
const BULL_ALWAYS = contender('BullMQ, appendfsync always', RECORDS, bullMq('always'))
const BULL_EVERYSEC = contender('BullMQ, appendfsync everysec', RECORDS, bullMq('everysec'))
const GROWTH = [
  { of: 'SQLite', few: FEW, many: MANY, open: sluiceOnSqlite },
  { of: 'PostgreSQL', few: FEW, many: MANY, open: sluiceOnPostgres },
].map(({ of, few, many, open }) => ({
  of,
  few: oneWorkerOnly(contender(`${of}, ${few} pending`, few, open)),
  many: oneWorkerOnly(contender(`${of}, ${many} pending`, many, open, few)),
}))

const withRedis = hasRedis()
const PEERS = [GRAPHILE, PG_BOSS, ...(withRedis ? [BULL_ALWAYS, BULL_EVERYSEC] : [])]
const ALL = [SQLITE, POSTGRES, ...PEERS, GRAPHILE_AT_BEST]

/** Records claimed and completed, ten at a time, durably; ours write fence, note and outbox with each. */
export const claims: Benchmark = {
  name: 'claims',
  rounds: Number(process.env['CLAIM_ROUNDS'] ?? 5),
  isStepByStep: true,
  contenders: [...ALL, ...GROWTH.flatMap(({ few, many }) => [few, many])],
  report: (results) =>
    [
      `${whole(RECORDS)} records in batches of 10, every commit synced to disk (but for everysec)`,
      ...(withRedis
        ? []
        : ['BullMQ is left out: it needs redis-server on the PATH, and the package ioredis.']),
      compare(results),
      growth(results),
      standing(results),
      atBest(results),
    ].join('\n\n'),
}

function oneWorkerOnly({ name, steps }: (typeof ALL)[number]) {
  return { name, steps: { '1': steps['1'] ?? (() => ({ ms: Number.NaN })) } }
}

/** The most of all rounds: what disturbed it least. */
function rate(results: Results, name: string, workers: number): number {
  return results.worst(name, `${workers}`, 'perSecond')
}

function compare(results: Results): string {
  const rows = ALL.map(({ name }) => [
    name,
    ...WORKERS.flatMap((workers) => [
      whole(rate(results, name, workers)),
      whole(results.median(name, `${workers}`, 'perSecond')),
    ]),
    `${mostOf(results, name, 'twice')}`,
    `${mostOf(results, name, 'missing')}`,
  ])
  const heads = WORKERS.flatMap((workers) => [`${workers}: best/s`, 'median'])
  return table(['workers', ...heads, 'twice', 'missing'], rows)
}

function mostOf(results: Results, name: string, value: string): number {
  return Math.max(...WORKERS.map((workers) => results.worst(name, `${workers}`, value)))
}

function growth(results: Results): string {
  const rows = GROWTH.map(({ of, few, many }) => [
    of,
    whole(1e6 / rate(results, few.name, 1)),
    whole(1e6 / rate(results, many.name, 1)),
  ])
  return table(
    ['µs per record, one worker', `${whole(FEW)} pending`, `${whole(MANY)} pending`],
    rows,
  )
}

/** Only what ran in one round is compared: the machine may be busier in the next. */
function over(results: Results, ours: string, peers: readonly { name: string }[]): number[] {
  return WORKERS.map((workers) => {
    const ofPeers = peers.map(({ name }) => results.values(name, `${workers}`, 'perSecond'))
    return medianOf(
      results
        .values(ours, `${workers}`, 'perSecond')
        .map((own, round) => own / Math.max(...ofPeers.map((rates) => rates[round] ?? 0))),
    )
  })
}

/** No bar: it takes two batches of every worker at once. But good to know. */
function atBest(results: Results): string {
  const [sqlite, postgres] = [SQLITE, POSTGRES].map(({ name }) =>
    over(results, name, [GRAPHILE_AT_BEST]).map(times).join(' / '),
  )
  return `Against graphile-worker with one queue of 20, 80 and 160: SQLite ${sqlite}, PostgreSQL ${postgres}`
}

function standing(results: Results): string {
  const bar = (meaning: string, ratios: readonly number[], least: number) => ({
    meaning,
    measured: ratios.map(times).join(' / '),
    met: ratios.every((ratio) => ratio >= least),
  })
  const synced = PEERS.filter((peer) => peer !== BULL_EVERYSEC)
  const steeper = GROWTH.map(({ few, many }) => {
    const rates = results.values(many.name, '1', 'perSecond')
    return medianOf(
      results.values(few.name, '1', 'perSecond').map((own, round) => own / (rates[round] ?? 0)),
    )
  })
  const wrong = ALL.map(({ name }) => name)
    .filter((name) => name.startsWith('Sluice'))
    .map((name) => mostOf(results, name, 'twice') + mostOf(results, name, 'missing'))
  return bars([
    bar(
      'SQLite at least twice the best peer at like durability',
      over(results, SQLITE.name, synced),
      2,
    ),
    bar('PostgreSQL at least 1.5 times pg-boss', over(results, POSTGRES.name, [PG_BOSS]), 1.5),
    bar('PostgreSQL at least graphile-worker', over(results, POSTGRES.name, [GRAPHILE]), 1),
    ...(withRedis
      ? [
          bar(
            'PostgreSQL at least BullMQ at everysec',
            over(results, POSTGRES.name, [BULL_EVERYSEC]),
            1,
          ),
        ]
      : []),
    {
      meaning: 'none twice, none missing',
      measured: wrong.join(' / '),
      met: wrong.every((n) => n === 0),
    },
    {
      meaning: `a record costs at most 1.5 times as much with ${whole(MANY)} pending as with ${whole(FEW)}`,
      measured: steeper.map(times).join(' / '),
      met: steeper.every((ratio) => ratio <= 1.5),
    },
  ])
}
