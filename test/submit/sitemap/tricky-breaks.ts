import { A, type TrickyDocument, urlset } from './tricky-parts.ts'

/** Sitemaps that break off or are not well formed: whole entries before the break are kept. */
export const TRICKY_BREAKS: readonly TrickyDocument[] = [
  {
    name: 'a file cut off in an entry',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n<url><loc>${A}2`,
    entries: [[`${A}1`, 0]],
    end: {
      kind: 'broken',
      problem: 'the document ends before </urlset>',
      line: 3,
      column: 30,
    },
  },
  {
    name: 'a file cut off between entries',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n`,
    entries: [[`${A}1`, 0]],
    end: { kind: 'broken', problem: 'the document ends before </urlset>', line: 3, column: 1 },
  },
  {
    name: 'a loc that is not closed',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n <url><loc>${A}2</url>\n<url><loc>${A}3</loc></url></urlset>`,
    entries: [[`${A}1`, 0]],
    end: { kind: 'broken', problem: '</url> while <loc> is still open', line: 3, column: 31 },
  },
  {
    name: 'an extension that is not closed',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n<url><loc>${A}2</loc><image:image></url><url><loc>${A}3</loc></url></urlset>`,
    entries: [[`${A}1`, 0]],
    end: {
      kind: 'broken',
      problem: '</url> while something inside of it is still open',
      line: 3,
      column: 49,
    },
  },
  {
    name: 'a break behind many lines that are written alike, and some that are not',
    document: `<urlset>\n${`<url>\n<loc>${A}1</loc>\n<x>a</x>\n</url>\n`.repeat(5)}<url>\n<loc>\n${A}1</loc>\n<x>b</x>\n</url>\n<url>\n<loc>${A}1</loc>\n<x>c\n</x>\n</url>\n<url>\n<loc>${A}\n1</loc>\n<x>a</x>\n</url>\n<url>\n<loc>${A}1</loc>\n<x>d</x>\n</url>\n<url>\n</loc>`,
    entries: [
      ...Array.from({ length: 7 }, () => [`${A}1`, 0] as const),
      [`${A}\n1`, 0],
      [`${A}1`, 0],
    ],
    end: {
      kind: 'broken',
      problem: '</loc> while <url> is still open',
      line: 1 + 9 * 4 + 3 + 2,
      column: 1,
    },
  },
  {
    name: 'a less-than sign in a text',
    document: `<urlset><url><loc>${A}1</loc></url>\n<url><t>1 < 2</t><loc>${A}2</loc></url></urlset>`,
    entries: [[`${A}1`, 0]],
    end: {
      kind: 'broken',
      problem: 'a "<" that begins no tag; in a text it must be written as "&lt;"',
      line: 2,
      column: 11,
    },
  },
  {
    name: 'a tag inside of a tag',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n<url><loc>${A}2</loc><x <y></y></url></urlset>`,
    entries: [[`${A}1`, 0]],
    end: {
      kind: 'broken',
      problem: 'a "<" that begins no tag; in a text it must be written as "&lt;"',
      line: 3,
      column: 36,
    },
  },
  {
    name: 'a closing tag without a name',
    document: `<urlset>\n<url><loc>${A}1</loc></url>\n<url><loc>${A}2</loc><x></-x></url></urlset>`,
    entries: [[`${A}1`, 0]],
    end: {
      kind: 'broken',
      problem: 'a "<" that begins no tag; in a text it must be written as "&lt;"',
      line: 3,
      column: 39,
    },
  },
  {
    name: 'a quote that was forgotten',
    document: urlset(
      `<url><loc>${A}1</loc><x y="a> b > c</x></url><url><loc>${A}2</loc><x y="a></x></url>`,
    ),
    entries: [
      [`${A}1`, 0],
      [`${A}2`, 0],
    ],
  },
]
