import { at } from './scan-document.ts'
import { A, NS, type TrickyDocument, urlset } from './tricky-parts.ts'
import { TRICKY_BREAKS } from './tricky-breaks.ts'
import { TRICKY_ENCODINGS } from './tricky-encodings.ts'

/** Sitemaps as real sites serve them, each with what is in it. Read in one go, cut in two anywhere, and byte by byte. */
export const TRICKY_DOCUMENTS: readonly TrickyDocument[] = [
  {
    name: 'a plain sitemap',
    document: `<?xml version="1.0" encoding="UTF-8"?>\n${urlset(`
      <url>
        <loc>${A}1</loc>
        <lastmod>2024-02-29</lastmod>
        <changefreq>weekly</changefreq>
      </url>
      <url><loc>${A}2</loc></url>
      <url><priority>0.5</priority><loc>${A}3</loc><priority>1</priority><lastmod>2024-01-02T03:04:05Z</lastmod></url>
    `)}\n`,
    format: 'urlset',
    entries: [
      [`${A}1`, at('2024-02-29')],
      [`${A}2`, 0],
      [`${A}3`, at('2024-01-02T03:04:05Z')],
    ],
  },
  {
    name: 'an index, one child without a loc',
    document: `<sitemapindex ${NS}><sitemap><loc>${A}1.xml</loc><lastmod>2024</lastmod></sitemap><sitemap><lastmod>2024-01-01</lastmod></sitemap><sitemap/><sitemap><loc>${A}2.xml</loc></sitemap></sitemapindex>`,
    format: 'sitemapindex',
    entries: [
      [`${A}1.xml`, at('2024-01-01')],
      [`${A}2.xml`, 0],
    ],
    dropped: [
      ['no-loc', ''],
      ['no-loc', ''],
    ],
  },
  {
    name: 'a prefix on everything',
    document: `<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>${A}1</sm:loc><sm:lastmod>2024-01-01</sm:lastmod></sm:url><sm:url><sm:loc>${A}2</sm:loc></sm:url></sm:urlset>`,
    entries: [
      [`${A}1`, at('2024-01-01')],
      [`${A}2`, 0],
    ],
  },
  {
    name: 'a prefix of the same namespace on the children only',
    document: `<urlset ${NS} xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>${A}1</s:loc><lastmod>2024-01-01</lastmod></s:url><url><s:loc>${A}2</s:loc></url></urlset>`,
    entries: [
      [`${A}1`, at('2024-01-01')],
      [`${A}2`, 0],
    ],
  },
  {
    name: 'no namespace, and a wrong one',
    document: `<urlset xmlns="https://example.org/nothing"><url xmlns=""><loc>${A}1</loc></url><url><loc>${A}2</loc></url></urlset>`,
    entries: [
      [`${A}1`, 0],
      [`${A}2`, 0],
    ],
  },
  {
    name: 'extensions whose loc is not a page',
    document: urlset(
      `<url><image:image><image:loc>${A}no.png</image:loc><loc>${A}nested</loc><lastmod>2020-01-01</lastmod></image:image><loc>${A}1</loc><image:loc>${A}no</image:loc><video:video><video:loc>${A}no</video:loc></video:video></url>` +
        `<url><loc>${A}2</loc><xhtml:link rel="alternate" hreflang="de" href="${A}de"/><image:image><image:loc>${A}no.png</image:loc><image:title>a &gt; b > c</image:title></image:image><lastmod>2024-01-01</lastmod></url>` +
        `<loc>${A}outside</loc><other><url><loc>${A}deep</loc></url></other>` +
        `<url><loc>${A}3</loc><loc xmlns="urn:other">${A}foreign</loc><x><url><loc>${A}nested</loc></url></x></url>`,
      `${NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`,
    ),
    entries: [
      [`${A}1`, 0],
      [`${A}2`, at('2024-01-01')],
      [`${A}3`, 0],
    ],
  },
  {
    name: 'CDATA, alone, mixed with text, and elsewhere',
    document: urlset(
      `<url><loc><![CDATA[${A}?a=1&b=2]]></loc></url><url><loc> https://a.<![CDATA[example]]>/x <!-- c --></loc><title><![CDATA[</url><loc>${A}no</loc>]]></title></url><url><loc>${A}3</loc><t><![CDATA[ ]]]> ]]></t><lastmod><![CDATA[2024-01-01]]></lastmod></url>`,
    ),
    entries: [
      [`${A}?a=1&b=2`, 0],
      [`${A}x`, 0],
      [`${A}3`, at('2024-01-01')],
    ],
  },
  {
    name: 'named and numeric entities, and ampersands nobody escaped',
    document: urlset(
      `<url><loc>${A}?a=1&amp;b=2&amp;c</loc></url><url><loc>${A}&#38;&#x26;&lt;&gt;&quot;&apos;&#128512;&#x4e2d;</loc></url><url><loc>${A}?a=1&b=2&amp;c=3&</loc></url><url><loc>${A}&amp;amp;</loc></url>`,
    ),
    entries: [
      [`${A}?a=1&b=2&c`, 0],
      [`${A}&&<>"'😀中`, 0],
      [`${A}?a=1&b=2&c=3&`, 0],
      [`${A}&amp;`, 0],
    ],
  },
  {
    name: 'blanks and line ends everywhere they are allowed',
    document: `\r\n  <urlset\n${NS}\n>\r\n<url\t>\n<loc\n>\n\n   ${A}1\t\n</loc  >\r\n<lastmod >\n 2024-01-01\n</lastmod\n></url\n><url>\n<loc>\n  ${A}2\n</loc>\n<lastmod>\n2024-01-02 </lastmod></url></urlset  >`,
    entries: [
      [`${A}1`, at('2024-01-01')],
      [`${A}2`, at('2024-01-02')],
    ],
  },
  {
    name: 'S05 — blanks around an address that are written as references',
    document: urlset(
      `<url><loc>&#160;${A}1&#10;</loc></url><url><loc>&#xFEFF;${A}2&#xA0;</loc></url><url><loc>&#32;${A}3?a&amp;b&#x3000;</loc></url>`,
    ),
    entries: [
      [`${A}1`, 0],
      [`${A}2`, 0],
      [`${A}3?a&b`, 0],
    ],
  },
  {
    name: 'comments and instructions, also where they look like entries',
    document: `<?xml version="1.0"?><?xml-stylesheet href="a?>b"?><!-- <feed> --><urlset ${NS}><!-- <url><loc>${A}no</loc></url> --><url><!-- --><loc>${A}1</loc><!-- </url> - -- --><?x </url> ?></url><url><loc>${A}2</loc><lastmod>2024-01-01</lastmod><!-- </url> --></url></urlset><!-- end -->`,
    entries: [
      [`${A}1`, 0],
      [`${A}2`, at('2024-01-01')],
    ],
  },
  {
    name: 'attributes with tags and quotes in them',
    document: `<urlset ${NS} note="a > b"><url id='"' note="/"><loc a="/loc>">${A}1</loc><x y=">"/><x y='/>'></x></url><url><loc>${A}2</loc><x y="a > b"/><lastmod z="1">2024-01-01</lastmod></url></urlset>`,
    entries: [
      [`${A}1`, 0],
      [`${A}2`, at('2024-01-01')],
    ],
  },
  {
    name: 'a doctype that would expand to much, and one that would read a file',
    document: `<!DOCTYPE urlset [\n<!ENTITY lol "lol]>"><!-- ' --><!ENTITY lol2 "&lol;&lol;"><!ENTITY xxe SYSTEM 'file:///etc/passwd'> ]><urlset><url><loc>${A}&lol2;</loc></url><url><loc>&xxe;</loc></url><url><loc>${A}&constructor;</loc></url><url><loc>${A}1</loc></url></urlset>`,
    entries: [[`${A}1`, 0]],
    dropped: [
      ['undefined-entity', `${A}&lol2;`],
      ['undefined-entity', '&xxe;'],
      ['undefined-entity', `${A}&constructor;`],
    ],
  },
  {
    name: 'dates that are none',
    document: urlset(
      [
        'yesterday',
        '2024-13-01',
        '2023-02-29',
        '01/02/2024',
        '',
        '2024-01-01T25:00:00Z',
        '20240101',
        '9999-12-31',
        '1969-12-31',
      ]
        .map((date, n) => `<url><loc>${A}${n}</loc><lastmod>${date}</lastmod></url>`)
        .join(''),
    ),
    entries: Array.from({ length: 9 }, (_, n) => [`${A}${n}`, 0] as const),
  },
  {
    name: 'a date under another prefix of the same namespace',
    document: `<urlset ${NS} xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>${A}1</s:loc></s:url><s:url><s:loc>${A}2</s:loc><lastmod>2024-01-01</lastmod></s:url></urlset>`,
    entries: [
      [`${A}1`, 0],
      [`${A}2`, at('2024-01-01')],
    ],
  },
  {
    name: 'a loc of another namespace before the real one',
    document: urlset(`<url><loc xmlns="urn:other">${A}no</loc><loc>${A}1</loc></url>`),
    entries: [[`${A}1`, 0]],
  },
  {
    name: 'something behind the end',
    document: `<urlset><url><loc>${A}1</loc></url></urlset><script>1 < 2</script>`,
    entries: [[`${A}1`, 0]],
  },
  {
    name: 'a root without content, and one that closes itself',
    document: '<urlset></urlset>',
    entries: [],
  },
  { name: 'an empty root', document: `<urlset ${NS}/>`, entries: [] },
  { name: 'nothing', document: '', entries: [], end: { kind: 'empty' } },
  { name: 'blanks', document: ' \r\n\t', entries: [], end: { kind: 'empty' } },
  {
    name: 'a declaration only',
    document: '<?xml version="1.0"?>\n',
    entries: [],
    end: { kind: 'empty' },
  },
  {
    name: 'a page instead of a sitemap',
    document: '\n<!DOCTYPE html>\n<html><body><a href="/">x</a></body></html>',
    entries: [],
    end: { kind: 'html' },
  },
  {
    name: 'a page without a doctype',
    document: '<!-- x --><HTML><head></head></HTML>',
    entries: [],
    end: { kind: 'html' },
  },
  {
    name: 'XML that is no sitemap',
    document: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    entries: [],
    end: { kind: 'not-a-sitemap', found: '<Error>' },
  },
  {
    name: 'text that is no sitemap',
    document: '{"error":"not found"}\nhello',
    entries: [],
    dropped: [
      ['not-a-url', '{"error":"not found"}'],
      ['not-a-url', 'hello'],
    ],
    end: { kind: 'not-a-sitemap', found: '"{"error":"not found"}"' },
  },
  {
    name: 'a list of URLs',
    document: `\uFEFF${A}1\r\n\r\n  ${A}2  \n${A}ü\rjavascript:alert(1)\nHTTPS://A.example/4`,
    format: 'text',
    entries: [
      [`${A}1`, 0],
      [`${A}2`, 0],
      [`${A}ü`, 0],
      ['HTTPS://A.example/4', 0],
    ],
    dropped: [['not-a-url', 'javascript:alert(1)']],
  },
  {
    name: 'RSS 2.0',
    document: `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title><link>${A}</link><atom:link href="${A}feed" rel="self"/><item><title>1 &amp; 2</title><atom:link href="${A}no"/><link>${A}1</link><pubDate>Mon, 15 Jan 2024 10:00:00 +0100</pubDate></item><item><link><![CDATA[${A}2]]></link><dc:date>2024-01-02T00:00:00Z</dc:date></item><item><title>none</title></item></channel></rss>`,
    format: 'rss',
    entries: [
      [`${A}1`, at('2024-01-15T09:00:00Z')],
      [`${A}2`, at('2024-01-02')],
    ],
    dropped: [['no-loc', '']],
  },
  {
    name: 'RSS 1.0',
    document: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="${A}"><link>${A}</link><items><rdf:Seq/></items></channel><item rdf:about="${A}1"><link>${A}1</link><dc:date>2024-01-02</dc:date></item></rdf:RDF>`,
    format: 'rss',
    entries: [[`${A}1`, at('2024-01-02')]],
  },
  {
    name: 'Atom',
    document: `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${A}"/><updated>2020-01-01T00:00:00Z</updated><entry><link rel="self" href="${A}self"/><link href="${A}1?a=1&amp;b=ü" rel='alternate'></link><published>2024-01-01T00:00:00Z</published><updated>2024-01-02T00:00:00Z</updated></entry><entry><updated>2024-01-03T00:00:00Z</updated><published>2024-01-01T00:00:00Z</published><link href='${A}2'/></entry></feed>`,
    format: 'atom',
    entries: [
      [`${A}1?a=1&b=ü`, at('2024-01-02')],
      [`${A}2`, at('2024-01-03')],
    ],
  },
  ...TRICKY_ENCODINGS,
  ...TRICKY_BREAKS,
]
