import { describe, expect, it } from 'vitest'
import { bytesOf, scanBytewise, scanCutAt, scanWhole } from './scan-document.ts'
import { TRICKY_DOCUMENTS } from './tricky-documents.ts'

describe.each(TRICKY_DOCUMENTS)(
  '$name',
  ({ document, entries, dropped = [], end = { kind: 'whole' }, format }) => {
    const expected = { entries, dropped, end, ...(format && { format }) }

    it('in one piece', () => {
      expect(scanWhole(document)).toMatchObject(expected)
    })

    it('cut in two at every byte', () => {
      for (let cut = 0; cut <= bytesOf(document).length; cut++) {
        expect({ cut, ...scanCutAt(document, cut) }).toMatchObject({ cut, ...expected })
      }
    })

    it('byte by byte', () => {
      expect(scanBytewise(document)).toMatchObject(expected)
    })
  },
)
