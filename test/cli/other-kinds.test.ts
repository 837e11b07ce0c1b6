// Commands for one kind of document, given a document of another kind.
import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

/** A document of each kind that a new user may have. */
const DOCUMENTS = {
  'server.json': '{"name": "com.example/weather", "version": "1.0.0", "remotes": []}',
  'ai-catalog.json': '{"specVersion": "1.0", "entries": []}',
  'alice.json': '{"protocol": "ADP/1.1", "identity": {"id": "agent:alice.example.com"}}',
  'invite.json': '{"protocol": "ADP/1.1", "invite": {}}',
  'seen.trace.json': '{"trace": "blazon/1"}',
  'agent-card.json': '{"protocolVersion": "1.0", "skills": []}',
  'adl-agents': '{"adl_discovery": "1.0", "agents": []}',
}
const DEFINITION = { 'a.adl.json': '{"adl_spec": "0.1.0", "name": "A"}' }
const CARD = { 'scout.card.json': '{"id": "agent://scout", "name": "Scout"}' }

const TO = ['--to', 'https://agents.example.com']

const COMMANDS: readonly (readonly [words: string, argv: (file: string) => readonly string[], others: object])[] = [
  ['grants', (file) => ['grants', file], CARD],
  ['gate', (file) => ['gate', file], CARD],
  ['permissions', (file) => ['permissions', file], CARD],
  ['review', (file) => ['review', file], CARD],
  ['decide', (file) => ['decide', file, 'tool', 'name=search'], CARD],
  ['approve', (file) => ['approve', file, '--inventory', 'approved.json'], CARD],
  ['bump', (file) => ['bump', file], DEFINITION],
  ['revoke', (file) => ['revoke', file], DEFINITION],
  ['probe', (file) => ['probe', file, '--network'], DEFINITION],
  ['publish', (file) => ['publish', file, ...TO], { 'alice.json': undefined }],
]

const files = { ...DOCUMENTS, ...DEFINITION, ...CARD }
const asked = (argv: readonly string[]) =>
  blazon([...argv, '--format', 'json'], { files, env: { BLAZON_TOKEN: 'secret' } })

describe.each(COMMANDS)('%s', (_, argv, others) => {
  // `publish` also takes metadata.
  const names = Object.keys({ ...DOCUMENTS, ...others }).filter(
    (name) => !('alice.json' in others && name === 'alice.json'),
  )
  test.each(names)('names the kind of %s, and does nothing else', async (name) => {
    const { code, stdout, saved } = await asked(argv(name))
    const { results } = JSON.parse(stdout)
    expect([code, saved.size, results.length]).toEqual([1, 0, 1])
    expect(results[0]).toMatchObject({ valid: false, diagnostics: [{ code: 'DOC-127' }] })
    expect(results[0].kind).not.toBeNull()
  })
})

test('treats a document of unknown kind as the expected kind, which permits nothing', async () => {
  const { code, stdout } = await blazon(['decide', '-', 'tool', 'name=search'], { stdin: '{"name": "A"}' })
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^denied/)])
})

test('publishing a folder skips documents of other kinds', async () => {
  const server = () => Response.json({ url: 'x' }, { status: 201 })
  const { code, stderr } = await blazon(['publish', 'all', ...TO], {
    files: Object.fromEntries(
      Object.entries({ ...DOCUMENTS, ...DEFINITION }).map(([name, text]) => [`all/${name}`, text]),
    ),
    env: { BLAZON_TOKEN: 'secret' },
    server,
  })
  expect([code, stderr]).toEqual([0, expect.stringMatching(/2 of 2 published.*; \d of another kind/)])
})
