import { expect, it } from 'vitest'
import { groupCommit } from '../../src/stores/sqlite/group-commit.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'

function openCounted() {
  const sql = openNodeSql(':memory:')
  sql.run('create table note (id integer primary key) strict')
  let commits = 0
  const together = groupCommit({
    ...sql,
    transaction(work) {
      const result = sql.transaction(work)
      commits++
      return result
    },
  })
  const write = (id: number) => together(() => sql.run('insert into note values (?)', id))
  return { sql, write, commits: () => commits }
}

it('commits once what is asked for at the same moment', async () => {
  const { sql, write, commits } = openCounted()

  const written = await Promise.all([write(1), write(2), write(3)])

  expect(written).toEqual([1, 1, 1])
  expect(commits()).toBe(1)
  expect(sql.all('select id from note')).toHaveLength(3)
})

it('waits until all who were answered together have asked again', async () => {
  const { write, commits } = openCounted()

  const promptly = async () => {
    await write(1)
    await write(2)
  }
  const aLittleLater = async () => {
    await write(3)
    for (let steps = 0; steps < 5; steps++) await Promise.resolve()
    await write(4)
  }
  await Promise.all([promptly(), aLittleLater()])

  expect(commits()).toBe(2)
})

it('lets one that fails fail alone', async () => {
  const { sql, write } = openCounted()

  const ended = await Promise.allSettled([write(1), write(1), write(2)])

  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(sql.all('select id from note order by id')).toEqual([{ id: 1 }, { id: 2 }])
})
