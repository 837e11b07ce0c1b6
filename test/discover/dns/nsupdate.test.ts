// Gives our commands to Debian's nsupdate, with a signed zone of Debian's bind9: afterwards the agent is found.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resolveDns } from '../../../bindings/discover/index.ts'
import { exportKey, generateKey } from '../../../bindings/keys/index.ts'
import { build, sign } from '../../../bindings/wellknown/index.ts'
import { findProgram } from '../../../scripts/setup.mjs'
import { blazon } from '../../cli/terminal.ts'
import { bind } from '../../support/dns-lab.ts'
import { readAsOf10 } from '../reader-1.0.ts'
import { codes, endedBy, KEY, metadata, OTHER_KEY, PUBLIC, send, signed, startWorld, type World } from '../trust/lab.ts'

if (!bind.available) console.warn(`NOT RUN: nsupdate against bind9: ${bind.reason}`)

const ALICE = 'alice.example.test'
const HOSTED = 'hosted.example.test'
const PROVIDER = 'host.provider.test'
const CAROL = 'carol.example.test'
const documentOf = (domain: string, port: number, key = KEY) =>
  metadata({ domain, key, wellKnown: `https://${domain}:${port}/.well-known/agent.json` })

let world: World
/** Metadata that the library makes and signs, at the port of the server. */
let carols: object
beforeAll(async () => {
  if (!bind.available) return
  const isDynamic = true
  world = await startWorld({
    names: [ALICE, PROVIDER, CAROL],
    zones: () => [
      signed('.', ''),
      signed('test', ''),
      signed('example.test', `alice A ${PUBLIC}\n_agent.alice TXT "v=spf1 -all"`, { isDynamic }),
      signed('provider.test', `host A ${PUBLIC}`, { isDynamic }),
    ],
    answer: (to, response, { port }) =>
      send(response, to.startsWith(CAROL) ? carols : documentOf(to.startsWith(ALICE) ? ALICE : HOSTED, port)),
  })
})
afterAll(() => world?.close())

/** Writes the records like a shell: `blazon dns records agent.json --as nsupdate | nsupdate`. */
async function publish(document: object, ...options: string[]): Promise<void> {
  const files = { 'agent.json': JSON.stringify(document), 'cert.pem': world.certificate }
  const argv = ['dns', 'records', 'agent.json', '--as', 'nsupdate', '--cert', 'cert.pem', ...options]
  const { code, stdout, stderr } = await blazon(argv, { files })
  expect(code, stderr).toBe(0)
  const input = `server 127.0.0.1 ${world.dns.port}\n${stdout}`
  execFileSync(findProgram('nsupdate')!, ['-v'], { input, timeout: 120_000, stdio: ['pipe', 'pipe', 'pipe'] })
}

beforeEach(() => {
  if (world !== undefined) world.requests.length = 0
})

test.runIf(bind.available)('[wellknown/4.1-1] [wellknown/4.2-1] finds an agent that was not found before', async () => {
  expect(endedBy(await world.discover(ALICE))).toBe('txt DNS-132')
  await publish(documentOf(ALICE, world.port))
  const found = await world.discover(ALICE, { require: 'dane-verified' })
  expect([endedBy(found), codes(found)]).toEqual(['an agent', []])
  expect(found.proof.levels).toEqual(
    ['dns-verified', 'dane-verified', 'key-verified'].map((level) => ({ level, quality: 'checked' })),
  )
})

test.runIf(bind.available)('removes no records of others, and adds a second key to the first', async () => {
  await publish(documentOf(ALICE, world.port, OTHER_KEY))
  const answer = await resolveDns(`_agent.${ALICE}`, 'TXT', world.options)
  const texts = answer.ok ? answer.records.map((strings) => Buffer.concat([...strings]).toString()) : []
  expect(texts).toHaveLength(3)
  expect(texts).toContain('v=spf1 -all')
  expect((await world.discover(ALICE)).proof.highest).toBe('key-verified')
})

test.runIf(bind.available)('[wellknown/4.1.2-1] finds a hosted agent with records in two zones', async () => {
  const wellKnown = `https://${HOSTED}:${world.port}/.well-known/agent.json`
  await publish(metadata({ domain: HOSTED, wellKnown }), '--target', PROVIDER)
  const found = await world.discover(HOSTED, { require: 'dane-verified' })
  expect(endedBy(found)).toBe('an agent')
  expect(found.agent?.host).toBe(PROVIDER)
})

test.runIf(bind.available)(
  '[wellknown/10.2-1] a reader of ADP/1.0 finds what is published, and the same key',
  async () => {
    const key = await generateKey('Ed25519')
    const wellKnown = `https://${CAROL}:${world.port}/.well-known/agent.json`
    const { metadata } = await build({ domain: CAROL, key }, { name: 'Carol', endpoints: { wellKnown } })
    carols = JSON.parse(new TextDecoder().decode((await sign(JSON.stringify(metadata), key)).bytes))
    await publish(carols)
    const network = { server: `127.0.0.1:${world.dns.port}`, ca: world.authority }
    const found = await readAsOf10(CAROL, network)
    expect(found).toMatchObject({ id: `agent:${CAROL}`, name: 'Carol', host: CAROL, port: world.port })
    expect(found.full).toBe(await exportKey(key.publicKey, 'pem'))
    carols = documentOf(CAROL, world.port, OTHER_KEY)
    await expect(readAsOf10(CAROL, network)).rejects.toThrow('another key')
  },
)
