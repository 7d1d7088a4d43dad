import { at, bytesOf } from './scan-document.ts'
import { A, type TrickyDocument, urlset } from './tricky-parts.ts'

/** Sitemaps in other encodings than most, or in another than they say. */
export const TRICKY_ENCODINGS: readonly TrickyDocument[] = [
  {
    name: 'addresses beyond ASCII, near others that are not',
    document: urlset(
      `<url><loc>${A}straße/中文/😀</loc><lastmod>2024-01-01</lastmod><t>Überschrift</t></url><url><loc>${A}2</loc><lastmod>2024-01-02</lastmod></url><größe/>`,
    ),
    entries: [
      [`${A}straße/中文/😀`, at('2024-01-01')],
      [`${A}2`, at('2024-01-02')],
    ],
  },
  {
    name: 'bytes that are not what the document says they are',
    document: Uint8Array.of(
      ...bytesOf(`<urlset><url><loc>${A}`),
      0xe9,
      0xff,
      ...bytesOf(`</loc></url><url><loc>${A}2</loc></url></urlset>`),
    ),
    entries: [[`${A}2`, 0]],
    dropped: [['bad-encoding', `${A}\uFFFD\uFFFD`]],
  },
  {
    name: 'a byte order mark, twice',
    document: `\uFEFF\uFEFF<?xml version="1.0"?>${urlset(`<url><loc>${A}1</loc></url>`)}`,
    entries: [[`${A}1`, 0]],
  },
  {
    name: 'UTF-16, little end first, with a mark',
    document: utf16(
      `\uFEFF<?xml version="1.0" encoding="UTF-16"?>${urlset(`<url><loc>${A}中</loc></url>`)}`,
      'little',
    ),
    entries: [[`${A}中`, 0]],
  },
  {
    name: 'UTF-16, big end first, without a mark',
    document: utf16(
      `<?xml version="1.0" encoding="UTF-16"?>${urlset(`<url><loc>${A}中</loc></url>`)}`,
      'big',
    ),
    entries: [[`${A}中`, 0]],
  },
  {
    name: 'ISO-8859-1',
    document: latin1(
      `<?xml version='1.0' encoding='ISO-8859-1'?>${urlset(`<url><loc>${A}straße</loc></url>`)}`,
    ),
    entries: [[`${A}straße`, 0]],
  },
  {
    name: 'windows-1252',
    document: latin1(
      `<?xml version="1.0" encoding="windows-1252" ?>${urlset(`<url><loc>${A}\x80</loc></url>`)}`,
    ),
    entries: [[`${A}€`, 0]],
  },
  {
    name: 'an encoding that nobody knows',
    document: `<?xml version="1.0" encoding="utf-eight"?>${urlset(`<url><loc>${A}é</loc></url>`)}`,
    entries: [[`${A}é`, 0]],
  },
]

function utf16(text: string, end: 'little' | 'big'): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), end === 'little')
  return new Uint8Array(view.buffer)
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
