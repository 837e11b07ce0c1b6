// The site of the docs: every link and anchor leads somewhere, and every command and finding has its page.
import { posix } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../bindings/catalogue.ts'
import { type Section, search } from '../../browser-demo/docs/search.ts'
import HELP from '../../cli/help.json' with { type: 'json' }
import { rendered, textOf } from '../../scripts/docs/markdown.mjs'
import { docsFiles } from '../../scripts/docs/site.mjs'

let pages: ReadonlyMap<string, string>
let problems: readonly string[]
let paths: ReadonlySet<string>
let sections: readonly Section[]
beforeAll(async () => {
  const made = await docsFiles()
  problems = made.problems
  paths = new Set(made.files.keys())
  pages = new Map([...made.files].filter(([path]) => path.endsWith('.html'))) as Map<string, string>
  sections = JSON.parse(String(made.files.get('search-index.js')).replace(/^blazonDocs\(|\)\n$/g, ''))
})

const matches = (text: string, sign: RegExp) => Array.from(text.matchAll(sign), ([, found]) => found!)

/** Links of the pages to other documents of the Worker. */
const OUTSIDE = new Set(['../app/index.html'])

function deadLinks(all: ReadonlyMap<string, string>): string[] {
  const ids = new Map([...all].map(([path, html]) => [path, new Set(matches(html, / id="([^"]*)"/g))]))
  return [...all].flatMap(([path, html]) => {
    const links = new Set(
      matches(html, / (?:href|src)="([^"]*)"/g).filter((link) => !/^(?:https?|mailto|data):/.test(link)),
    )
    return [...links].flatMap((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (OUTSIDE.has(target)) return []
      if (!paths.has(target)) return [`${path}: ${link} leads nowhere`]
      return anchor === undefined || ids.get(target)?.has(anchor) ? [] : [`${path}: ${link} has no such place`]
    })
  })
}

describe('the site of the docs', () => {
  test('has no dead link and no dead anchor', () => {
    expect(problems).toEqual([])
    expect(deadLinks(pages)).toEqual([])
    expect(deadLinks(new Map([['index.html', '<a href="none.html"></a><a href="#none"></a>']]))).toHaveLength(2)
  })

  test('has no page with two places of one name, no script of its own, and no style that its policy refuses', () => {
    for (const [path, html] of pages) {
      const ids = matches(html, / id="([^"]*)"/g)
      expect([path, ids.filter((id, i) => ids.indexOf(id) !== i)]).toEqual([path, []])
      expect([path, matches(html, /<(script(?! src="[./]*docs\.js">)|style|\w+ [^>]*style=)/g)]).toEqual([path, []])
    }
  })

  test('has a page for each command, with its usage, and one for each code, with its reason', () => {
    for (const [name, { usage }] of Object.entries(HELP)) {
      const text = textOf(pages.get(`commands/${name.replace(' ', '-')}.html`)!)
      expect(text).toContain(`blazon ${name} ${usage}`.trimEnd())
    }
    for (const { code, why, title } of catalogue()) {
      const text = textOf(pages.get(`findings/${code}.html`)!)
      expect(text).toContain(why)
      expect(text).toContain(title)
    }
  })

  test.each([
    ['validate', 'commands/validate.html'],
    ['runs show', 'commands/runs-show.html'],
    ['ADL-2002', 'findings/ADL-2002.html'],
    ['duplicate tool name', 'findings/ADL-2002.html'],
    ['The WAY of a', 'design/way.html#the-way-of-a-document'],
  ])('finds %s', (query, path) => {
    expect(search(sections, query)[0]![0]).toBe(path)
  })

  test('finds nothing if one word is nowhere, and reads no more than eight words', () => {
    expect(search(sections, 'validate zyzzyva')).toEqual([])
    expect(search(sections, `${'validate '.repeat(8)}zyzzyva`).length).toBeGreaterThan(0)
  })
})

/** Sources and results by the CommonMark specification 0.31 and the tables of GFM; attributes for keyboards are ours. */
const plain = (markdown: string) =>
  rendered(markdown)
    .html.replace(/ (?:id|class|tabindex)="[^"]*"| <a class="here".*?<\/a>|\n/g, '')
    .replace(/ <a href="#[^"]*" aria-label.*?<\/a>/g, '')

test.each([
  ['# a `b`', '<h1>a <code>b</code></h1>'],
  ['a\nb\n\nc', '<p>ab</p><p>c</p>'],
  ['- a\n- b\n  c', '<ul><li>a</li><li>bc</li></ul>'],
  ['- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['1. a\n\n   b', '<ol><li><p>a</p><p>b</p></li></ol>'],
  ['```js\na < *b*\n```', '<pre><code>a &lt; *b*</code></pre>'],
  ['    a\n\n    b', '<pre><code>ab</code></pre>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  [
    '| a | b |\n|---|--:|\n| `c\\|d` | **e** |',
    '<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>c|d</code></td><td><strong>e</strong></td></tr></tbody></table></div>',
  ],
  ['[`a`](b.md#c) \\*d\\* *e* 2 * 3 * 4', '<p><a href="b.md#c"><code>a</code></a> *d* <em>e</em> 2 * 3 * 4</p>'],
  ['``a ` b``', '<p><code>a ` b</code></p>'],
])('renders %j', (markdown, html) => {
  expect(plain(markdown)).toBe(html)
})

test.each([
  '<script>alert(1)</script>',
  '[a](javascript:alert)',
  '[a](JaVaScRiPt:alert)',
  '![a](data:text/html,b)',
  '<img src="javascript:a" alt="b">',
  '[a](b"onclick=c)',
  '`<b>` | <i>',
  '# <u>',
])('lets no markup through %j', (markdown) => {
  const { html } = rendered(markdown)
  expect(html.replace(/ <a class="here".*?<\/a>/g, '')).not.toMatch(
    /<(?:script|b|i|u)>|="(?:javascript|data)|onclick="|" ?onclick=/i,
  )
})

test('gives equal headings different anchors, as GitHub does', () => {
  expect(rendered('## A b\n\n## A b').headings.map(({ id }: { id: string }) => id)).toEqual(['a-b', 'a-b-1'])
})

test('writes a bounded number of bytes for each byte of a page', () => {
  for (const part of ['[', '`', '*a', '- ', '> ', '|', '![', '<', '**', '\\', '- a\n', '[`'])
    expect(rendered(part.repeat(4_000)).html.length).toBeLessThan(800_000)
})
