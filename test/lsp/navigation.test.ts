import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Client, type Publication } from './client.ts'

interface Item {
  readonly label: string
  readonly detail?: string
  readonly documentation?: string
  readonly filterText?: string
  readonly textEdit: { readonly newText: string; readonly range: object }
}

/** What completion offers where a text has a `§`. */
async function completed(client: Client, path: string, marked: string): Promise<readonly Item[]> {
  const offset = marked.indexOf('§')
  const lines = marked.slice(0, offset).split('\n')
  const uri = client.open(path, marked.replace('§', ''), path.endsWith('.md') ? 'markdown' : undefined)
  const position = [lines.length - 1, lines.at(-1)!.length] as const
  const result = await client.ask<{ items: Item[] } | null>('completion', uri, position)
  return result?.items ?? []
}

const labels = (items: readonly Item[]) => items.map(({ label }) => label)
const BEGIN = 'adl_spec: 0.1.0\nname: Scout\ntools:\n  - name: find\n    description: x\n'

test('offers the members that an object lacks, the required ones first, with their meaning', async () => {
  const client = await Client.start()
  const items = await completed(client, 'a.adl.yaml', `${BEGIN}    re§`)
  expect(labels(items)).toEqual(expect.arrayContaining(['read_only', 'requires_confirmation', 'parameters']))
  expect(labels(items)).not.toContain('description')
  const range = { start: { line: 5, character: 4 }, end: { line: 5, character: 6 } }
  expect(items.find(({ label }) => label === 'read_only')).toMatchObject({
    ...{ detail: 'boolean', textEdit: { range, newText: 'read_only: ' } },
  })
  const root = await completed(client, 'b.adl.json', '{"adl_spec": "0.1.0", "ver§": "1.0.0"}')
  expect(root.find(({ label }) => label === 'version')).toMatchObject({
    detail: 'string, required',
    documentation: expect.stringContaining('MAJOR'),
    filterText: '"version"',
    textEdit: { newText: '"version"', range: { start: { line: 0, character: 22 }, end: { line: 0, character: 27 } } },
  })
  await client.end()
})

test('offers values: of enumerations, booleans, and those that other elements have', async () => {
  const client = await Client.start()
  expect(labels(await completed(client, 'a.adl.yaml', `${BEGIN}lifecycle:\n  status: §\n`))).toEqual(
    ['draft', 'active', 'deprecated', 'retired'], // ADL 0.1 section 5.4
  )
  const [yes] = await completed(client, 'b.adl.yaml', `${BEGIN}    read_only: t§`)
  expect(yes!.textEdit.newText).toBe('true')
  const hosts = 'permissions:\n  network:\n    allowed_hosts:\n      - "*.example.com"\n      - §\n'
  const [host] = await completed(client, 'c.adl.yaml', `${BEGIN}${hosts}`)
  expect(host!.textEdit.newText).toBe('"*.example.com"')
  const card = '{"id": "agent:x", "name": "x", "skills": ["transl§"]}'
  expect(labels(await completed(client, 'd.card.json', card))).toContain('translation')
  await client.end()
})

const FOLDER = Object.fromEntries(
  ['agent.yaml', 'prompt.yaml', 'ux.yaml', 'specialists/market-analyst.yaml', 'skills/test-helper/SKILL.md'].map(
    (path) => [`coach/${path}`, readFileSync(`fixtures/agentlang/research-assistant/${path}`, 'utf8')],
  ),
)
const AGENT = FOLDER['coach/agent.yaml']!

test('completes the tools of an agent in the other files of its folder', async () => {
  const client = await Client.start(FOLDER)
  expect(labels(await completed(client, 'coach/ux.yaml', 'tools:\n  web§'))).toContain('web_search')
  const skill = '---\nname: test-helper\ndescription: Helps with tests\nallowed-tools:\n  - §\n---\n# Body\n'
  expect(labels(await completed(client, 'coach/skills/test-helper/SKILL.md', skill))).toContain('list_invoices')
  const folder = `${AGENT}delegate:\n  agents:\n    - path: specialists/§`
  expect(labels(await completed(client, 'coach/agent.yaml', folder))).toEqual(['specialists/market-analyst.yaml'])
  await client.end()
})

test('goes to the target of a $ref, to a file, and from a use of a tool to the agent of its folder', async () => {
  const client = await Client.start({ ...FOLDER, 'shared.json': '{}', 'outside/a.json': '{}' })
  const refs =
    '{"adl_spec": "0.1.0", "tools": [{"parameters": {"$defs": {"a": 1},\n"b": {"$ref": "#/$defs/a"},\n"c": {"$ref": "shared.json#/x"},\n"d": {"$ref": "../../etc/passwd"}}}]}'
  const uri = client.open('a.adl.json', refs)
  const target = await client.ask<{ range: { start: object } }>('definition', uri, [1, 18])
  expect(target).toMatchObject({ uri, range: { start: { line: 0, character: 58 } } })
  expect(await client.ask('definition', uri, [2, 18])).toMatchObject({ uri: client.uri('shared.json') })
  expect(await client.ask('definition', uri, [3, 18])).toBeNull()
  const ux = client.open('coach/ux.yaml', FOLDER['coach/ux.yaml']!)
  const line = FOLDER['coach/ux.yaml']!.split('\n').findIndex((one) => one.includes('web_search'))
  const at = AGENT.split('\n').findIndex((one) => one.includes('name: web_search'))
  expect(await client.ask('definition', ux, [line, 4])).toMatchObject({
    ...{ uri: client.uri('coach/agent.yaml'), range: { start: { line: at, character: 10 } } },
  })
  await client.end()
})

test('renames a tool in every file of the folder, and refuses a name that another tool has', async () => {
  const client = await Client.start(FOLDER)
  const uri = client.open('coach/agent.yaml', `# moved\n${AGENT}`)
  const line = AGENT.split('\n').findIndex((one) => one.includes('name: web_search')) + 1
  const placeholder = await client.ask('prepareRename', uri, [line, 12])
  expect(placeholder).toMatchObject({ placeholder: 'web_search', range: { start: { line, character: 10 } } })
  expect(await client.ask('prepareRename', uri, [1, 2])).toBeNull()
  const { changes } = await client.ask<{ changes: Record<string, { newText: string; range: { start: object } }[]> }>(
    ...(['rename', uri, [line, 12], { newName: 'find: it' }] as const),
  )
  expect(Object.keys(changes).sort()).toEqual(
    ['coach/agent.yaml', 'coach/specialists/market-analyst.yaml', 'coach/ux.yaml'].map((path) => client.uri(path)),
  )
  expect(changes[uri]).toMatchObject([{ newText: '"find: it"', range: { start: { line, character: 10 } } }])
  for (const newName of ['web_fetch', '', 'a\u202eb', 'x'.repeat(1000)])
    await expect(client.ask('rename', uri, [line, 12], { newName })).rejects.toMatchObject({ code: -32_602 })
  await client.end()
})

test('an agent is checked with the files of its folder as the editor has them, and each file shows its own findings', async () => {
  const client = await Client.start({ ...FOLDER, 'coach/prompt.yaml': 'version: 2\nsections: 7\n' })
  const agent = client.open('coach/agent.yaml', AGENT)
  const prompt = client.uri('coach/prompt.yaml')
  const errors = ({ diagnostics }: Publication) => diagnostics.filter(({ severity }) => severity === 1)
  const closed = await client.findings(prompt, (one) => errors(one).length > 0)
  expect(closed.find(({ severity }) => severity === 1)!.message).toContain('sections')
  expect(await client.findings(agent)).not.toContainEqual(expect.objectContaining({ message: closed[0]!.message }))
  client.open('coach/prompt.yaml', FOLDER['coach/prompt.yaml']!)
  const version = client.shown.findLast(({ uri }) => uri === prompt)?.version
  expect(await client.findings(prompt, (one) => one.version !== version && errors(one).length === 0)).toBeDefined()
  client.change(prompt, { text: 'version: 2\nsections: 7\n' })
  await client.findings(prompt, (one) => errors(one).length > 0)
  // The agent was checked with it as well.
  const before = client.shown.length
  await client.findings(agent, (one) => client.shown.indexOf(one) >= before)
  const version2 = client.change(prompt, { text: '\n\nversion: 2\nsections: 7\n' })
  await client.findings(prompt, (one) => one.version === version2)
  await client.findings(agent, (one) => client.shown.indexOf(one) > before + 1)
  // Neither twice nor at the place that it had in an older text.
  for (const { diagnostics } of client.shown.filter(({ uri, version: of }) => uri === prompt && of === version2)) {
    const places = diagnostics
      .filter(({ message }) => message.includes('sections'))
      .map(({ range }) => range.start.line)
    expect(places).toEqual([3])
  }
  client.notify('textDocument/didClose', { textDocument: { uri: agent } })
  await client.findings(agent, (one) => one.version === undefined)
  await client.end()
})
