// The command line against the Worker in its runtime: cards are published, found, backed up and restored.
import { beforeAll, expect, test } from 'vitest'
import { exportKey, fingerprint } from '../../../bindings/keys/index.ts'
import { blazon, type Setting } from '../../cli/terminal.ts'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { TOKEN_SECRET, tokenOf } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'

const workers = workersOf()
let runtime: Runtime
let agents: Agent[]
const files: Record<string, string> = {}

beforeAll(async () => {
  runtime = await workers.start()
  agents = await Promise.all(Array.from({ length: 12 }, () => createAgent()))
  for (const [i, agent] of agents.entries()) files[`cards/${i}.json`] = await cardOf(agent, 10 * (i + 1))
  files['cards/unsigned.json'] = '{"id": "agent://unsigned", "name": "Unsigned", "skills": ["nlp/translation"]}'
})

function run(line: string, setting: Setting = {}) {
  const argv = line.replaceAll('SERVER', runtime.origin).split(' ')
  const env = { BLAZON_TOKEN: tokenOf(runtime.origin, { scope: 'operate' }) }
  return blazon(argv, { server: (request) => fetch(request), env, files, ...setting })
}

test('[card/7.1-1] publishes a folder of cards: stores the signed ones, and refuses the unsigned one with the reason', async () => {
  const { code, stdout, stderr } = await run('publish cards --to SERVER')
  expect([code, stdout.match(/^agent:\/\/b\w+\tfirst$/gm)?.length]).toEqual([1, 12])
  expect(stderr).toMatch(
    /cards\/unsigned\.json:1:1 error DOC-186 Not published\n {2}the directory answers 403: .*is not verified/,
  )
  expect(stderr).toContain('12 of 13 published')
  const again = await run('publish cards/0.json --to SERVER')
  expect([again.code, again.stdout]).toEqual([0, `${agents[0]!.id}\tequal\n`])
})

test('does not store an older card, and stores an unsigned card for the operator', async () => {
  const older = { 'old.json': await cardOf(agents[0]!, 3) }
  const { code, stderr } = await run('publish old.json --to SERVER', { files: older })
  expect(code).toBe(1)
  expect(stderr).toContain('the directory keeps its current card: older')
  expect((await run('publish cards/unsigned.json --vouch --to SERVER')).code).toBe(0)
})

test('finds the cards and verifies them again; shows the unsigned one only on request', async () => {
  const { code, stdout, stderr } = await run('search --tag nlp/translation --from SERVER --limit 100 --why')
  const found = stdout.split('\n').filter((line) => line.includes('\tagent://'))
  // The skills depend on seq modulo five, and these are all multiples of ten.
  expect([code, found.length]).toEqual([0, 12])
  expect(found.every((line) => !line.includes('unverified'))).toBe(true)
  expect(stdout).toMatch(/^ {2}tags {9}#{20} {2}0\.300 = 0\.300 \* 1\.000 {2}/m)
  expect(stderr).toContain('13 cards from')
  expect(stderr).toContain('1 dropped: they cannot be verified')
  const all = await run('search --tag nlp/translation --from SERVER --limit 100 --unverified')
  expect(all.stdout).toContain('\tagent://unsigned\tUnsigned\tnlp/translation\tunverified\n')
})

test('[card/7.1-2] a backup has every card; an empty directory imports it, and verifies each card again', async () => {
  expect((await run('directory block spam.example --at SERVER --reason spam')).code).toBe(0)
  const exported = await run('directory export --from SERVER --out backup.jsonl')
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('13 cards and 1 rule exported')])
  const backup = new TextDecoder().decode(exported.saved.get('backup.jsonl'))
  const again = await run('directory import b --to SERVER', { files: { b: backup } })
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('0 stored, 13 unchanged, 0 refused')])

  const empty = await workers.start()
  const [rule = '', first = '', ...rest] = backup.trimEnd().split('\n')
  const { card, ...line } = JSON.parse(first)
  const forged = Buffer.from(card, 'base64url').toString().replace('"name":"Agent', '"name":"Forger')
  const b = [JSON.stringify({ ...line, card: Buffer.from(forged).toString('base64url') }), ...rest, rule].join('\n')
  const argv = ['directory', 'import', 'b', '--to', empty.origin]
  const env = { BLAZON_TOKEN: tokenOf(empty.origin, { scope: 'operate' }) }
  const { code, stderr } = await blazon(argv, { server: (request) => fetch(request), env, files: { b } })
  expect(code).toBe(1)
  expect(stderr).toContain('b:1:1 error DOC-186')
  expect(stderr).toContain('12 stored, 0 unchanged, 1 refused')
  const argv2 = ['directory', 'list', '--at', empty.origin]
  const listed = await blazon(argv2, { server: (request) => fetch(request), env })
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^block\tspam\.example\tspam\t/)])
})

test('makes, fills in, signs, verifies, publishes and finds a first card', async () => {
  const disk: Record<string, string> = {}
  const step = async (line: string) => {
    const ran = await run(line, { files: { ...disk } })
    for (const [name, bytes] of ran.saved) disk[name] = new TextDecoder().decode(bytes)
    return ran
  }
  expect((await step('init scout.card.json --kind card --new-key scout.key')).code).toBe(0)
  const begun = await step('validate scout.card.json')
  expect(begun.stderr.match(/CARD-149/g)?.length).toBe(2)
  const card = JSON.parse(disk['scout.card.json']!)
  disk['scout.card.json'] = JSON.stringify({
    ...card,
    description: 'Finds papers about mollusks.',
    skills: ['retrieval/web-search'],
  })
  expect((await step('validate scout.card.json')).stderr).not.toContain('CARD-149')
  const signed = await step('sign scout.card.json --key scout.key --out scout.card.json')
  expect([signed.code, signed.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  expect((await step('verify scout.card.json')).stdout).toContain('scout.card.json: verified')
  const published = await step('publish scout.card.json --to SERVER')
  expect([published.code, published.stdout]).toEqual([0, `${card.id}\tfirst\n`])
  const found = await step('search mollusks --from SERVER')
  expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(`\t${card.id}\tScout\n`)])
})

test('makes, signs, verifies and publishes metadata, which is served as its agent signed it', async () => {
  const disk: Record<string, string> = {}
  const step = async (line: string) => {
    const ran = await run(line, { files: { ...disk } })
    for (const [name, bytes] of ran.saved) disk[name] = new TextDecoder().decode(bytes)
    return ran
  }
  expect(
    (await step('init alice.json --kind wellknown --domain alice.example.com --description Plans --new-key alice.key'))
      .code,
  ).toBe(0)
  expect((await step('sign alice.json --key alice.key --out alice.json')).code).toBe(0)
  const alone = await step('verify alice.json')
  expect([alone.code, alone.stderr]).toEqual([4, expect.stringMatching(/hint: give the key .*--key[\s\S]*discover/)])
  expect((await step('verify alice.json --key alice.key')).stdout).toContain('alice.json: verified')
  const published = await step('publish alice.json --to SERVER')
  const url = `${runtime.origin}/.well-known/agents/alice/agent.json`
  expect([published.code, published.stdout, published.stderr]).toEqual([
    0,
    `${url}\n`,
    expect.stringContaining('1 of 1 published'),
  ])
  expect(await (await fetch(url)).json()).toEqual(JSON.parse(disk['alice.json']!))
  disk['alice.json'] = disk['alice.json']!.replace('"Alice"', '"Alicia"')
  const changed = await step('publish alice.json --to SERVER')
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringMatching(/DOC-186[\s\S]*0 of 1 published/)])
})

test('refuses a card whose id is a name with advice, and the advice works', async () => {
  const key = await exportKey(agents[0]!.key, 'pem')
  const card = JSON.stringify({ id: 'agent://nautilus', name: 'Nautilus', description: 'Dives.', seq: 1 })
  const signed = await run('sign card.json --key a.key', { files: { 'card.json': card, 'a.key': key } })
  const refused = await run('publish card.json --to SERVER', { files: { 'card.json': signed.stdout } })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/DOC-186[\s\S]*hint: .*blazon init --kind card --new-key/),
  ])
  const [, id] = /hint: write "id": "(agent:\/\/b\w+)"/.exec(signed.stderr)!
  expect(id).toBe(agents[0]!.id)
})

test('issues and withdraws tokens with the secret, which no report shows', async () => {
  const env = { TOKEN_SECRET }
  const made = await run('token create chain --scope export --directory SERVER', { env })
  // Compared with Node's own HMAC.
  const [token, again] = [0, 1].map((generation) =>
    tokenOf(runtime.origin, { scope: 'export', holder: 'chain', generation }),
  )
  expect([made.code, made.stdout]).toEqual([0, `${token}\n`])
  const exported = () => run('directory export --from SERVER', { env: { BLAZON_TOKEN: token! } })
  expect((await exported()).code).toBe(0)
  const revoked = await run('token revoke chain --directory SERVER', { env })
  expect([revoked.code, revoked.stdout]).toEqual([0, ''])
  expect((await exported()).code).toBe(3)
  expect((await run('token create chain --scope export --directory SERVER', { env })).stdout).toBe(`${again}\n`)
  const several = await run('token create agent://a /agents/b --scope publish-one --directory SERVER', { env })
  expect(several.stdout).toMatch(/^agent:\/\/a\tblazon1\.publish-one\.\S+\n\/agents\/b\tblazon1\.\S+\n$/)
  for (const { stdout, stderr } of [made, revoked, several]) expect(stdout + stderr).not.toContain(TOKEN_SECRET)
})

test.each([
  ['token create ci --scope publish --directory SERVER', {}, 2, 'TOKEN_SECRET'],
  ['token create ci --scope publish --directory SERVER', { TOKEN_SECRET: 'two words' }, 2, 'without spaces'],
  ['token create --scope publish --directory SERVER', { TOKEN_SECRET }, 2, 'needs a HOLDER'],
  ['token create ci --directory SERVER', { TOKEN_SECRET }, 2, '--scope'],
  ['token create ci --scope publish', { TOKEN_SECRET }, 2, 'needs --server URL'],
  ['token create ci --scope publish --directory http://agents.example.com', { TOKEN_SECRET }, 2, 'expected https'],
  ['token create ci --scope publish --directory SERVER', { TOKEN_SECRET: 'x'.repeat(40) }, 3, 'answers 401'],
  ['token create agent://a --scope publish --directory SERVER', { TOKEN_SECRET }, 3, 'Expected 1 to 100 holders'],
  ['token revoke ci --directory SERVER', { TOKEN_SECRET: 'x'.repeat(40) }, 3, 'answers 401'],
])('%s with %j ends with %i', async (line, env, code, words) => {
  const ran = await run(line, { env })
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(words)])
})

test.each([
  ['{"tokens": {"ci": "\\u001b]0;owned\\u0007"}}'],
  ['{"tokens": {}}'],
  ['{"tokens": {"ci": 1}}'],
  ['[]'],
  ['no JSON'],
])('a server that answers %s gives no token', async (answer) => {
  const server = () => new Response(answer)
  const ran = await run('token create ci --scope publish --directory SERVER', { env: { TOKEN_SECRET }, server })
  expect([ran.code, ran.stdout]).toEqual([3, ''])
})

test('takes down, blocks, allows and lists agents', async () => {
  const [first, second] = agents as [Agent, Agent]
  const removed = await run(`directory remove ${first.id} agent://never/seen --reason spam --at SERVER`)
  expect([removed.code, removed.stdout]).toEqual([
    0,
    `${first.id}\tremoved\nagent://never/seen\twas not there; blocked from now on\n`,
  ])
  expect(removed.stderr).toContain('give blazon directory block the fingerprint')
  const refused = await run('publish cards/0.json --to SERVER')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`blocked ${first.id}: spam`)])
  const key = await fingerprint(second.key.publicKey)
  expect((await run(`directory block ${key} spam.example --reason gold --at SERVER`)).code).toBe(0)
  expect((await run('publish cards/1.json --to SERVER')).stderr).toContain('blocked the key that signs this card: gold')
  const listed = await run('directory list --at SERVER')
  expect(listed.stdout.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
    ['block', 'spam.example', 'gold'],
    ...[
      ['block', 'agent://never/seen', 'spam'],
      ['block', first.id, 'spam'],
    ].sort((a, b) => (a[1]! < b[1]! ? -1 : 1)),
    ['block', key, 'gold'],
    [''],
  ])
  expect((await run(`directory approve ${first.id} --at SERVER`)).code).toBe(0)
  expect((await run(`directory block ${key} spam.example agent://never/seen --lift --at SERVER`)).code).toBe(0)
  expect((await run('publish cards/0.json cards/1.json --to SERVER')).code).toBe(0)
  expect((await run('directory approve agent://never/seen --refuse --at SERVER')).code).toBe(0)
})

test.each([
  ['directory remove agent://a --at SERVER', '--reason'],
  ['directory remove acme --reason x --at SERVER', 'acme is not the id of an agent'],
  ['directory remove --reason x --at SERVER', 'expected an ID'],
  ['directory block --at SERVER', 'expected an ID, KEY or HOST'],
  ['directory approve agent://a', 'needs --server URL'],
  ['directory list more --at SERVER', 'takes no arguments'],
])('%s is wrong usage', async (line, words) => {
  const { code, stderr } = await run(line)
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('reports a wrong token', async () => {
  const { code, stderr } = await run('directory export --from SERVER', { env: { BLAZON_TOKEN: 'wrong' } })
  expect(code).toBe(3)
  expect(stderr).toContain('answers 401: This requires a token with the scope export')
})
