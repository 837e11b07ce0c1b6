import { expect, test } from 'vitest'
import { Client, codes, type Publication } from './client.ts'

const AGENT = `adl_spec: 0.1.0
name: Scout
description: Finds the cheapest train between two towns
version: 1.0.0
data_classification:
  sensitivity: internal
  categories: [financial]
lifecycle:
  status: activ
$schema: https://adl-spec.org/0.1/schema.json
`

const withoutInfos = (found: Publication['diagnostics']) => found.filter(({ severity }) => severity < 3)

test('shows the findings of a document that is opened, changed and closed', async () => {
  const client = await Client.start()
  expect(client.capabilities).toMatchObject({ positionEncoding: 'utf-16', textDocumentSync: { change: 2 } })
  const uri = client.open('a.adl.yaml', AGENT)
  const found = withoutInfos(await client.findings(uri))
  expect(found).toMatchObject([
    {
      ...{ code: 'ADL-5001', severity: 1, source: 'blazon' },
      range: { start: { line: 8, character: 10 }, end: { line: 8, character: 15 } },
    },
  ])
  expect(found[0]!.message).toMatch(/active/)
  const version = client.change(uri, {
    range: { start: { line: 8, character: 15 }, end: { line: 8, character: 15 } },
    text: 'e',
  })
  expect(withoutInfos(await client.findings(uri, (one) => one.version === version))).toEqual([])
  client.change(uri, { text: AGENT })
  await client.findings(uri, ({ diagnostics }) => codes(diagnostics).includes('ADL-5001'))
  client.notify('textDocument/didClose', { textDocument: { uri } })
  expect(await client.findings(uri, (one) => one.version === undefined)).toEqual([])
  expect(await client.end()).toEqual({ isClean: true, failure: undefined })
})

test('offers the fix of a finding and all fixes, which change only the text around the fault', async () => {
  const client = await Client.start()
  const uri = client.open('a.adl.yaml', AGENT)
  await client.findings(uri)
  const range = { start: { line: 8, character: 12 }, end: { line: 8, character: 12 } }
  const actions = await client.ask<{ kind: string; edit: { changes: Record<string, unknown[]> } }[]>(
    ...(['codeAction', uri, undefined, { range, context: { diagnostics: [] } }] as const),
  )
  expect(actions.map(({ kind }) => kind)).toEqual(['quickfix', 'source.fixAll.blazon'])
  expect(actions[0]!.edit.changes[uri]).toMatchObject([{ range: { start: { line: 8, character: 10 } } }])
  expect(actions[1]!.edit.changes[uri]).toEqual([
    { range: { start: { line: 8, character: 0 }, end: { line: 9, character: 0 } }, newText: '  status: "active"\n' },
  ])
  const only = { range, context: { only: ['source.fixAll'], diagnostics: [] } }
  expect(await client.ask('codeAction', uri, undefined, only)).toHaveLength(1)
  await client.end()
})

test('says what a member means and why a finding is one', async () => {
  const client = await Client.start()
  const uri = client.open('a.adl.yaml', AGENT)
  const hover = await client.ask<{ contents: { value: string } }>('hover', uri, [8, 12])
  expect(hover.contents.value).toMatch(/\*\*ADL-5001 /)
  expect(hover.contents.value).toMatch(/`draft`, `active`/)
  expect((await client.ask<{ contents: { value: string } }>('hover', uri, [1, 2])).contents.value).toBe(
    '**name** string\n\nName of the agent, for people',
  )
  expect(await client.ask('hover', uri, [999, 999])).not.toBeUndefined()
  await client.end()
})

test('lists symbols and folds, and formats', async () => {
  const client = await Client.start()
  const uri = client.open('a.adl.json', '{"adl_spec":"0.1.0","tools":[{"name":"find",\n"parameters":{}}]}')
  expect(await client.ask('documentSymbol', uri)).toMatchObject([
    { name: 'adl_spec', kind: 15 },
    {
      name: 'tools',
      kind: 18,
      children: [{ name: 'find', kind: 19, children: [{ name: 'name' }, { name: 'parameters' }] }],
    },
  ])
  expect(await client.ask('foldingRange', uri)).toEqual([
    { startLine: 0, endLine: 1 },
    { startLine: 0, endLine: 1 },
  ])
  const [edit] = await client.ask<{ newText: string }[]>('formatting', uri)
  expect(edit!.newText).toContain('  "tools": [\n')
  const yaml = client.open('b.adl.yaml', `${AGENT}`.replace('name: Scout', 'name:   Scout'))
  expect(await client.ask('formatting', yaml)).toEqual([
    { range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText: 'name: Scout\n' },
  ])
  await client.end()
})

test('uses the configuration, the suppressions and the overrides of validate', async () => {
  const config = 'overrides:\n  - files: [quiet/**]\n    rules: { ADL-5001: warning }\n'
  const client = await Client.start({
    'blazon.config.yaml': config,
    // As for the command line, only the file of the workspace folder counts.
    'loud/blazon.config.yaml': 'rules: { ADL-5001: info }\n',
  })
  const loud = client.open('loud/a.adl.yaml', AGENT)
  const quiet = client.open('quiet/a.adl.yaml', AGENT)
  expect(withoutInfos(await client.findings(loud))).toMatchObject([{ code: 'ADL-5001', severity: 1 }])
  expect(withoutInfos(await client.findings(quiet))).toMatchObject([{ code: 'ADL-5001', severity: 2 }])
  client.change(quiet, { text: AGENT.replace('activ\n', 'activ # blazon-ignore ADL-5001: a test\n') })
  expect(await client.findings(quiet, ({ diagnostics }) => withoutInfos(diagnostics).length === 0)).toBeDefined()
  await client.end()
})

test('shows nothing for the files of other programs', async () => {
  const client = await Client.start()
  for (const [path, text] of [
    ['package.json', '{"name": "x", "version": "1.0.0"}'],
    ['tsconfig.json', '{ // a comment\n}'],
    ['compose.yaml', 'services: {}'],
    ['README.md', '# Title'],
  ] as const) {
    expect(codes(await client.findings(client.open(path, text)))).toEqual([])
  }
  await client.end()
})
