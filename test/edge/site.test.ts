// `npm start -- --site FOLDER`: the documents of a folder become an agent.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { exportKey, generateKey, importKey } from '../../bindings/keys/index.ts'
import { build, publicKeyBlock, sign, verify } from '../../bindings/wellknown/index.ts'
import { readSite } from '../../scripts/site.mjs'
import { freePort } from '../support/port.ts'
import { endAll, newState, type Run, says, start } from './npm-start.ts'

const DOMAIN = 'alice.example.com'
const CARD = { id: 'agent://alice', name: 'Alice', description: 'Reviews code.' }
const DEFINITION = `adl_spec: 0.1.0
name: Alice
description: Reviews code.
version: 1.0.0
lifecycle: { status: active }
data_classification: { sensitivity: public }
tools:
  - { name: review, description: Reviews a change., parameters: { type: object, properties: {} } }
`

afterEach(endAll)

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = newState()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

async function serve(folder: string): Promise<{ run: Run; origin: string; text(path: string): Promise<string> }> {
  const port = String(await freePort())
  const run = start('--site', folder, '--port', port)
  await says(run, /BLAZON_TOKEN=/)
  const origin = `http://127.0.0.1:${port}`
  return { run, origin, text: async (path) => (await fetch(origin + path)).text() }
}

async function signedMetadata() {
  const key = await generateKey('Ed25519')
  const { metadata } = await build(
    { domain: DOMAIN, key: await exportKey(key.publicKey, 'pem') },
    { name: 'Alice', capabilities: [{ id: 'review', name: 'Review' }], endpoints: { a2a: `https://${DOMAIN}/a2a` } },
  )
  const { bytes } = await sign(JSON.stringify(metadata), key)
  return { bytes: bytes!, pem: await exportKey(key, 'pem'), ...publicKeyBlock(key) }
}

describe('a folder as the presence of an agent', () => {
  test('[wellknown/6.1-1] [wellknown/7.1-1] serves metadata byte for byte, the page, one key, the definition and the card; skipped files are listed with the reason', async () => {
    const { bytes, pem, fingerprint } = await signedMetadata()
    const folder = folderOf({
      'agent.json': bytes,
      'alice.adl.yaml': DEFINITION,
      'alice.card.json': JSON.stringify(CARD),
      'key.pem': pem,
      'notes.txt': 'no document',
      'other.json': '{"adl_spec": "0.1.0"}',
      'zz.adl.json': readFileSync('edge/site/agents/hello.adl.json'),
      'stranger.pem': await exportKey(await generateKey('Ed25519'), 'pem'),
      'ai.json': '[]',
    })
    mkdirSync(join(folder, 'more'))
    const { run, origin, text } = await serve(folder)
    const metadata = await fetch(`${origin}/.well-known/agent.json`)
    expect(new Uint8Array(await metadata.arrayBuffer())).toEqual(new Uint8Array(bytes))
    expect(metadata.headers.get('content-type')).toBe('application/vnd.adp+json')
    const page = await text('/')
    expect(page).toContain(`content="agent:${DOMAIN}"`)
    expect(await (await fetch(origin.replace('127.0.0.1', 'localhost'))).text()).toBe(page)
    // RFC 8037: x of a JWK is the key itself, and its SHA-256 is the fingerprint.
    const { keys } = JSON.parse(await text('/.well-known/jwks.json'))
    const digest = createHash('sha256').update(Buffer.from(keys[0].x, 'base64url')).digest('base64url')
    expect(`ed25519:${digest}`).toBe(fingerprint)
    expect(JSON.parse(await text('/.well-known/agent-card.json')).name).toBe('Alice')
    expect(JSON.parse(await text('/agents/alice/adl.json'))).toMatchObject({
      name: 'Alice',
      tools: [{ name: 'review' }],
    })
    expect(await text('/agents')).toContain(JSON.stringify(CARD.id))
    const out = run.output()
    for (const [file, why] of [
      ['notes.txt', 'neither a document nor a key'],
      ['other.json', 'not valid: line 1: '],
      ['zz.adl.json', 'one folder is one agent, whose definition is alice.adl.yaml'],
      ['stranger.pem', 'one folder is one agent, whose key is key.pem'],
      ['ai.json', 'of no kind that an agent publishes'],
      ['more', 'a folder'],
    ]) {
      expect(out).toContain(`- ${file}: ${why}`)
    }
    expect(out).toContain(`metadata: agent.json`)
    expect(out).toContain(`The same paths of https://${DOMAIN}`)
    expect(out).not.toContain('PRIVATE KEY')
  })

  test('makes metadata from a definition and a key alone, signed with that key', async () => {
    const key = await generateKey('Ed25519')
    const folder = folderOf({ 'scout.adl.yaml': DEFINITION, 'me.pem': await exportKey(key, 'pem') })
    const { run, text } = await serve(folder)
    const source = await text('/.well-known/agent.json')
    const keys = [await exportKey(await importKey(key.publicKey), 'pem')]
    expect((await verify(source, { expect: { id: 'agent:scout.localhost', keys } })).verdict).toBe('verified')
    expect(run.output()).toContain('made of scout.adl.yaml, signed with me.pem')
    expect(run.output()).toContain('--kind wellknown --domain YOUR.DOMAIN')
  })

  test('signs nothing with the wrong key; without a key it makes one for the run, and leaves nothing in the folder', async () => {
    const { bytes } = await signedMetadata()
    const other = await exportKey(await generateKey('Ed25519'), 'pem')
    const site = await readSite(folderOf({ 'agent.json': bytes, 'key.pem': other }))
    expect(['key' in site, site.leftOut]).toEqual([
      false,
      [{ file: 'key.pem', why: 'not the key that agent.json names' }],
    ])

    const folder = folderOf({ 'a.adl.yaml': DEFINITION })
    const { run } = await serve(folder)
    expect(run.output()).toContain('signed with a key that was made for this run')
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(existsSync(join(folder, '.wrangler'))).toBe(false)
  })

  test('does not publish documents that need a confirmation, and reports them', async () => {
    const { bytes } = await signedMetadata()
    const secret = DEFINITION.replace('sensitivity: public', 'sensitivity: confidential')
    const { run, origin } = await serve(folderOf({ 'agent.json': bytes, 'alice.adl.yaml': secret }))
    expect(run.output()).toMatch(/- alice\.adl\.yaml: .*--reviewed confirms it/)
    expect((await fetch(`${origin}/agents/alice/adl.json`)).status).toBe(404)
  })

  const BEGINS = /node \S*dist\/cli\/blazon\.js init .* begins one/

  test('a folder without an agent is refused, with the reason and a way to begin', async () => {
    const run = start('--site', folderOf({}), '--port', String(await freePort()))
    expect(await run.ended).toBe(2)
    expect(run.output()).toMatch(/has no agent: neither metadata \(agent\.json\) nor a definition/)
    expect(run.output()).toMatch(BEGINS)
    const invalid = readSite(folderOf({ 'x.adl.json': '{"adl_spec": "0.1.0"}' })).catch(({ message }) => message)
    expect(await invalid).toMatch(/x\.adl\.json: not valid: line 1/)
    expect(await invalid).toMatch(BEGINS)
  })

  test('a path that is not a folder is a usage error', async () => {
    const file = join(newState(), 'agent.json')
    cpSync('package.json', file)
    const run = start('--site', file)
    expect(await run.ended).toBe(2)
    expect(run.output()).toContain(`--site takes a folder with the documents of an agent; ${file} is none`)
  })
})
