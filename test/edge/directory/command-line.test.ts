// The command line against the Worker in its runtime: cards are published, found, backed up and brought back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportKey, fingerprint } from '../../../bindings/keys/index.ts'
import { blazon, type Setting } from '../../cli/terminal.ts'
import { TOKEN_SECRET, tokenOf } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'
import { prepareSite, type Runtime, type Site, startRuntime } from './runtime.ts'

let site: Site
let runtime: Runtime
let agents: Agent[]
const files: Record<string, string> = {}

beforeAll(async () => {
  site = await prepareSite('edge/worker.ts')
  runtime = await startRuntime(site)
  agents = await Promise.all(Array.from({ length: 12 }, () => createAgent()))
  for (const [i, agent] of agents.entries()) files[`cards/${i}.json`] = await cardOf(agent, 10 * (i + 1))
  files['cards/unsigned.json'] = '{"id": "agent://unsigned", "name": "Unsigned", "skills": ["nlp/translation"]}'
})
afterAll(async () => {
  await runtime.kill()
  site.remove()
})

function run(line: string, setting: Setting = {}) {
  const argv = line.replaceAll('SERVER', runtime.origin).split(' ')
  const env = { BLAZON_TOKEN: tokenOf(runtime.origin, { scope: 'operate' }) }
  return blazon(argv, { server: (request) => fetch(request), env, files, ...setting })
}

test('[card/7.1-1] publishes a folder of cards: signed ones are stored, the unsigned one is refused with the reason', async () => {
  const { code, stdout, stderr } = await run('publish cards --to SERVER')
  expect([code, stdout.match(/^agent:\/\/b\w+\tfirst$/gm)?.length]).toEqual([1, 12])
  expect(stderr).toMatch(
    /cards\/unsigned\.json:1:1 error DOC-186 Not published\n {2}the directory answers 403: .*is not verified/,
  )
  expect(stderr).toContain('12 of 13 published')
  const again = await run('publish cards/0.json --to SERVER')
  expect([again.code, again.stdout]).toEqual([0, `${agents[0]!.id}\tequal\n`])
})

test('an older card is not stored, and the operator vouches for one that is not signed', async () => {
  const older = { 'old.json': await cardOf(agents[0]!, 3) }
  const { code, stderr } = await run('publish old.json --to SERVER', { files: older })
  expect(code).toBe(1)
  expect(stderr).toContain('the directory keeps what it has: older')
  expect((await run('publish cards/unsigned.json --vouch --to SERVER')).code).toBe(0)
})

test('finds them, verified here again; the one that was vouched for only when it is asked for', async () => {
  const { code, stdout, stderr } = await run('search --tag nlp/translation --from SERVER --limit 100 --why')
  const found = stdout.split('\n').filter((line) => line.includes('\tagent://'))
  // The skills go by seq modulo five, and these are all multiples of ten.
  expect([code, found.length]).toEqual([0, 12])
  expect(found.every((line) => !line.includes('unverified'))).toBe(true)
  expect(stdout).toMatch(/^ {2}tags {9}#{20} {2}0\.300 = 0\.300 \* 1\.000 {2}/m)
  expect(stderr).toContain('13 cards from')
  expect(stderr).toContain('1 dropped: nothing shows whose they are')
  const all = await run('search --tag nlp/translation --from SERVER --limit 100 --unverified')
  expect(all.stdout).toContain('\tagent://unsigned\tUnsigned\tnlp/translation\tunverified\n')
})

test('[card/7.1-2] a backup has every card, and comes back into an empty directory, each verified again', async () => {
  const exported = await run('directory export --from SERVER --out backup.jsonl')
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('13 cards exported')])
  const backup = new TextDecoder().decode(exported.saved.get('backup.jsonl'))
  const again = await run('directory import b --to SERVER', { files: { b: backup } })
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('0 stored, 13 there already, 0 refused')])

  const other = await prepareSite('edge/worker.ts')
  const empty = await startRuntime(other)
  try {
    const [first = '', ...rest] = backup.trimEnd().split('\n')
    const { card, ...line } = JSON.parse(first)
    const forged = Buffer.from(card, 'base64url').toString().replace('"name":"Agent', '"name":"Forger')
    const b = [JSON.stringify({ ...line, card: Buffer.from(forged).toString('base64url') }), ...rest].join('\n')
    const argv = ['directory', 'import', 'b', '--to', empty.origin]
    const env = { BLAZON_TOKEN: tokenOf(empty.origin, { scope: 'operate' }) }
    const { code, stderr } = await blazon(argv, { server: (request) => fetch(request), env, files: { b } })
    expect(code).toBe(1)
    expect(stderr).toContain('b:1:1 error DOC-186')
    expect(stderr).toContain('12 stored, 0 there already, 1 refused')
  } finally {
    await empty.kill()
    other.remove()
  }
})

import { exportKey, fingerprint } from '../../../bindings/keys/index.ts'
})

test('a wrong token is told', async () => {
  const { code, stderr } = await run('directory export --from SERVER', { env: { BLAZON_TOKEN: 'wrong' } })
  expect(code).toBe(3)
  expect(stderr).toContain('answers 401: This takes a token with the scope export')
})
