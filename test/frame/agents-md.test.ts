// AGENTS.md: what a program can know of it. Expected values are made by hand.
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/index.ts'
import { blazon } from '../cli/terminal.ts'

const FENCE = '```'

async function found(text: string, files: Readonly<Record<string, string>> = {}) {
  const { stdout } = await blazon(['validate', '.', '--format', 'json'], { files: { 'AGENTS.md': text, ...files } })
  const [{ diagnostics }] = JSON.parse(stdout).results as [
    { diagnostics: { rule: string; source: { line: number } }[] },
  ]
  return diagnostics.map(({ rule, source: { line } }) => `${rule} ${line}`)
}

describe('AGENTS.md', () => {
  test.each<[string, string[]]>([
    ['# Hello\n\n---\nall: [ well\n', []],
    ['---\nno: [yaml\n', []],
    ['See [a](docs/a.md), [b](./docs/a.md#top), [c](docs), [d](<docs/a%20b.md>).\n', []],
    ['[a](https://x.example/y), [b](#c), [d](mailto:x@x.example), [e](/x), `[f](x.md)`, [g](src/*.ts)\n', []],
    ['x\n[a](docs/b.md) and [b](missing)\n', ['dead-link 2', 'dead-link 2']],
    [`${FENCE}\n[a](missing)\n${FENCE}\n`, []],
    ['é\n\nghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5\n', ['literal-secret 3']],
    [`${'x'.repeat(99)}\n`.repeat(328), ['too-long 1']],
    [
      'Run `npm run test`, `npm run` and npm run nothing. `make all`, `make -j2 nothing`, `make it-so.`\n',
      ['unknown-command 1'],
    ],
    ['`npm run tset`, `$ pnpm run build:all --if-present`\n', ['unknown-command 1', 'unknown-command 1']],
    ['`cd app && npm run other`, `npm run other -w app`, `npm run test:*`, `npm run <name>`\n', []],
    [`${FENCE}sh\nnpm run test && npm run tset\nmake instal\n${FENCE}\n`, ['unknown-command 2', 'unknown-command 3']],
  ])('%j: %j', async (text, expected) => {
    const files = {
      'package.json': '{"scripts": {"test": "x"}}',
      Makefile: 'A := b\nall install: x\n\techo a:b\n',
      'docs/a.md': '',
      'docs/a b.md': '',
    }
    expect(await found(text, files)).toEqual(expected)
  })

  test('judges no command whose place is unknown', async () => {
    const text = '`npm run other`, `make other`\n'
    expect(await found(text)).toEqual([])
    expect(await found(text, { 'package.json': '{"workspaces": []}', Makefile: 'include x.mk\nall:\n' })).toEqual([])
    expect(await found(text, { 'package.json': '{}', 'nx.json': '{}', Makefile: '%.o: %.c\n' })).toEqual([])
    expect(await found(text, { 'package.json': '{', Makefile: 'other:\n' })).toEqual([])
  })

  test('without a folder, only the text is judged', () => {
    const { diagnostics } = validate('[a](missing)\n`npm run x`\n', { as: 'agents-md' })
    expect(diagnostics).toEqual([])
  })
})
