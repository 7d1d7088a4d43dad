import { describe, expect, it } from 'vitest'
import { seconds } from '../../../../src/core/duration.ts'
import { openNotes, where } from './notes-table.ts'

describe('searches', () => {
  const at = (instant: string) => String(Date.parse(instant))
  const cases: [string, unknown, string | number][] = [
    ['a text', where(['key', 'is', 'a1']), 'a1'],
    ['another text', where(['key', 'isNot', 'a1']), 'a2 b3'],
    ['a part of a text', where(['key', 'contains', 'a']), 'a1 a2'],
    ['no part of a text', where(['key', 'doesNotContain', 'a']), 'b3'],
    ['an empty cell', where(['count', 'isEmpty']), 'b3'],
    ['a full cell', where(['count', 'isNotEmpty']), 'a1 a2'],
    ['a number', where(['count', 'is', '10.0']), 'a1'],
    ['a greater number', where(['count', 'isGreater', '10']), 'a2'],
    ['a number not smaller', where(['count', 'isGreaterEqual', '10']), 'a1 a2'],
    ['a smaller number', where(['count', 'isLess', '20']), 'a1'],
    ['a number not greater', where(['count', 'isLessEqual', '20']), 'a1 a2'],
    ['a choice', where(['status', 'is', 'new']), 'a1 b3'],
    ['another choice', where(['status', 'isNot', 'new']), 'a2'],
    ['one of some choices', where(['status', 'contains', 'old', 'new']), 'a1 a2 b3'],
    ['a tick', where(['done', 'is', 'true']), 'a1'],
    ['no tick', where(['done', 'is', 'false']), 'a2 b3'],
    ['two conditions', where(['status', 'is', 'new'], ['key', 'contains', 'a']), 'a1'],
    [
      'either condition',
      { ...where(['key', 'is', 'b3'], ['count', 'is', '20']), conjunction: 'or' },
      'a2 b3',
    ],
    [
      'groups of conditions',
      {
        conjunction: 'and',
        children: [
          { ...where(['key', 'is', 'a1'], ['key', 'is', 'a2']), conjunction: 'or' },
          where(['status', 'is', 'old']),
        ],
      },
      'a2',
    ],
    // Half past ten in the evening of the 14th by UTC is the 15th in the Base's time zone, where a day begins at 16:00 UTC.
    ['a day', where(['seen', 'is', 'ExactDate', at('2025-01-14T22:30:00Z')]), 'a1 a2'],
    [
      'after a moment',
      where(['seen', 'isGreater', 'ExactDate', at('2025-01-15T15:00:00Z')]),
      'a1 a2 b3',
    ],
    ['before a moment', where(['seen', 'isLess', 'ExactDate', at('2025-01-15T15:00:00Z')]), ''],
    [
      'before the next day',
      where(['seen', 'isLess', 'ExactDate', at('2025-01-15T16:00:00Z')]),
      'a1 a2',
    ],
    ['today', where(['seen', 'is', 'Today']), 'a1 a2'],
    ['tomorrow', where(['seen', 'is', 'Tomorrow']), 'b3'],
    ['a time that Bitable keeps', where(['made', 'is', 'Today']), 'a1 a2 b3'],
    ['an unknown field', where(['nokey', 'is', 'a']), 1254018],
    ['an unknown operator', where(['key', 'like', 'a']), 1254018],
    ['an operator of other fields', where(['key', 'isGreater', 'a']), 1254018],
    ['no finer than a day', where(['seen', 'isGreaterEqual', 'ExactDate', '0']), 1254018],
    ['a value where none may be', where(['key', 'isEmpty', 'a']), 1254018],
    [
      'no value at all',
      { conjunction: 'and', conditions: [{ field_name: 'key', operator: 'isEmpty' }] },
      1254018,
    ],
    ['no conjunction', { conditions: [] }, 1254018],
    [
      'too many conditions',
      where(...Array.from({ length: 51 }, () => ['key', 'is', 'a'] as [string, string, string])),
      1254018,
    ],
  ]
  it.each(cases)('find %s', async (_, filter, found) => {
    const { bitable, keys } = await openNotes()
    const [early, noon, later] = ['2025-01-14T17:00Z', '2025-01-15T12:00Z', '2025-01-15T20:00Z']
    bitable.addRow('notes', {
      key: 'a1',
      count: 10,
      status: 'new',
      done: true,
      seen: Date.parse(early ?? ''),
    })
    bitable.addRow('notes', { key: 'a2', count: 20, status: 'old', seen: Date.parse(noon ?? '') })
    bitable.addRow('notes', {
      key: 'b3',
      status: 'new',
      done: false,
      seen: Date.parse(later ?? ''),
    })

    expect(await keys(filter)).toBe(found)
  })

  it('see what the index has, reads by id what is there', async () => {
    const { bitable, call, create, keys, records } = await openNotes()
    await create({ key: 'a' })
    bitable.stopIndexing()
    const created = await create({ key: 'b' })

    const stale = await keys(undefined)
    const got = await call('GET', `${records}/${created.data.record?.record_id}`)
    bitable.catchUp()

    expect([stale, got.code]).toEqual(['a', 0])
    expect(await keys(undefined)).toBe('a b')
  })

  it('are as slow as they are told to be', async () => {
    const { clock, bitable, keys } = await openNotes()
    bitable.slowPages(seconds(7))

    await keys(undefined)

    expect(clock.slept.at(-1)).toBe(seconds(7))
  })
})
