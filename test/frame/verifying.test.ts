// One verdict in four places: the library, the terminal, the Worker, and the page.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import type { NeedValues } from '../../bindings/frame/needs.ts'
import { type Kind, needsOf, type Proof, sign, verify } from '../../bindings/index.ts'
import { certificateFingerprint, readCertificate } from '../../bindings/keys/certificate.ts'
import { exportKey, generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import { createAuthority, issueCertificate } from '../../bindings/runs/identity/certificates.ts'
import { seal } from '../../bindings/runs/index.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import * as metadata from '../../bindings/wellknown/index.ts'
import * as invitations from '../../bindings/wellknown/invite/index.ts'
import { CURRENT } from '../a2a/samples.ts'
import { blazon } from '../cli/terminal.ts'
import { type Server, startServer } from '../edge/server.ts'
import { browser, visit } from '../page/browser.ts'
import { REVIEW } from '../runs/records.ts'

const SELF = { domain: 'alice.example.com' }
const TENANT = '00000000-0000-4000-8000-000000000123'
const encode = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const inFile = (file: string, value: unknown) => ({ file, bytes: value instanceof Uint8Array ? value : encode(value) })

interface Example {
  readonly file: string
  readonly bytes: Uint8Array
  /** The key that signed it, unless something else proves it. */
  readonly key?: PrivateKey
  readonly given?: NeedValues
  readonly verdict: Proof['verdict']
  /** The verdict without the key and what was given. */
  readonly alone: Proof['verdict']
}

let server: Server
let examples: Readonly<Partial<Record<Kind, Example>>>

beforeAll(async () => {
  server = await startServer()
  const [key, es256, { publicKey }] = await Promise.all([
    generateKey('Ed25519'),
    generateKey('ES256'),
    generateKey('ES256'),
  ])
  const pem = String(await exportKey(key, 'pem'))
  const signed = async (file: string, document: object, alone: Proof['verdict']): Promise<Example> => {
    const { bytes } = await sign(JSON.stringify(document), key, { embedKey: true, rules: ['written'], force: true })
    return { file, bytes: bytes!, key, verdict: 'verified', alone }
  }
  const own = { name: 'Scout', description: 'Finds papers about agents.', version: '1.0.0' }
  const { stream, checkpoints } = await seal(JSON.stringify(REVIEW), { key })
  const authority = await createAuthority({ key: es256, name: 'Harbour' })
  const capabilities = ['perm:files:read']
  const subject = { authority, authorityKey: es256, publicKey, agent: 'coach', tenant: TENANT, capabilities }
  const certificate = await issueCertificate(subject)
  const { notBefore, bytes: der } = readCertificate(certificate)
  const times = { started_at: notBefore.toISOString(), completed_at: notBefore.toISOString() }
  const aip = { cert_fingerprint: certificateFingerprint(der), tenant_id: TENANT, capabilities }
  const run = { ...REVIEW, ...times, steps: [], metadata: {}, tenant_id: TENANT, agent: { agent_id: 'coach', aip } }
  const { trace, anchors } = JSON.parse(readFileSync('browser-demo/discover/example.json', 'utf8'))
  const agent = encode('name: coach\nversion: 1.0.0\ndeveloper: acme\n')
  examples = {
    adl: await signed(
      'a.adl.json',
      { adl_spec: '0.1.0', ...own, data_classification: { sensitivity: 'internal' } },
      'verified',
    ),
    card: await signed('a.card.json', { id: 'agent://scout', ...own, seq: 1 }, 'unverifiable'),
    a2a: await signed('agent-card.json', CURRENT, 'unverifiable'),
    wellknown: await signed(
      'agent.json',
      (
        await metadata.build(
          { ...SELF, key: pem },
          { name: 'Scout', endpoints: { chat: 'wss://alice.example.com/chat' } },
        )
      ).metadata!,
      'unverifiable',
    ),
    invite: await signed(
      'invite.json',
      await invitations.invite({ ...SELF, key: pem }, { expires: new Date(Date.now() + 86_400_000) }),
      'unverifiable',
    ),
    container: {
      file: 'coach.agent',
      bytes: await sealContainer({
        name: 'coach',
        version: '1.0.0',
        developer: 'acme',
        files: new Map([['agent.yaml', agent]]),
        key,
      }),
      key,
      verdict: 'verified',
      alone: 'unverifiable',
    },
    stream: {
      ...inFile('run.ndjson', stream),
      key,
      given: { checkpoints: inFile('run.checkpoints', checkpoints) },
      verdict: 'verified',
      alone: 'unverifiable',
    },
    run: {
      ...inFile('run.json', run),
      given: { certificate: inFile('agent.pem', certificate), anchor: [inFile('authority.pem', authority)] },
      verdict: 'verified',
      alone: 'unverifiable',
    },
    trace: {
      ...inFile('a.trace.json', trace),
      given: { anchors: inFile('anchors', anchors) },
      verdict: 'verified',
      alone: 'failed',
    },
  }
})
afterAll(() => server?.stop())

const stepsOf = ({ verdict, steps }: Proof) => [verdict, ...steps.map(({ name, outcome }) => `${name} ${outcome}`)]

async function inLibrary({ file, bytes, key, given = {} }: Example) {
  return verify(bytes, { file, given, ...(key && { expect: { keys: [key.publicKey] } }) })
}

async function inTerminal({ file, bytes, key, given = {} }: Example): Promise<Proof> {
  const files: Record<string, string | Uint8Array> = { [file]: bytes }
  const argv = ['verify', file, '--format', 'json']
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat() as { file: string; bytes: Uint8Array }[]) {
      files[one.file] = one.bytes
      argv.push(`--${name}`, one.file)
    }
  if (key !== undefined) {
    files['k.pub'] = String(await exportKey(key.publicKey, 'pem'))
    argv.push('--key', 'k.pub')
  }
  const { stdout, stderr } = await blazon(argv, { files })
  expect(stdout, stderr).not.toBe('')
  return JSON.parse(stdout).results[0].proof
}

async function inWorker({ file, bytes, key, given = {} }: Example): Promise<Proof> {
  const form = new FormData()
  const part = (one: Uint8Array) => new Blob([one as Uint8Array<ArrayBuffer>])
  form.append('document', part(bytes), file)
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat() as { file: string; bytes: Uint8Array }[])
      form.append(name, part(one.bytes), one.file)
  const query =
    key === undefined ? '' : `?publicKey=${encodeURIComponent(String(await exportKey(key.publicKey, 'pem')))}`
  const answer = await fetch(`${server.origin}/v1/verify${query}`, { method: 'POST', body: form })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return JSON.parse(text)
}

/** The kinds that something proves. A new one needs an example here. */
const PROVED = KINDS.filter(({ isProved }) => isProved).map(({ kind }) => kind)

test.each(PROVED)('%s: one verdict, and the same steps, in the library, the terminal and the Worker', async (kind) => {
  const example = examples[kind]!
  const { key: _, given: __, ...bare } = example
  for (const [one, verdict] of [
    [example, example.verdict],
    [bare as Example, example.alone],
  ] as const) {
    const [library, terminal, worker] = await Promise.all([inLibrary(one), inTerminal(one), inWorker(one)])
    expect(stepsOf(library)[0], JSON.stringify(library.steps)).toBe(verdict)
    expect(stepsOf(terminal)).toEqual(stepsOf(library))
    expect(stepsOf(worker)).toEqual(stepsOf(library))
  }
})

describe('the Worker', () => {
  const post = async (parts: Readonly<Record<string, string | Blob>>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parts)) form.append(name, value)
    const answer = await fetch(`${server.origin}/v1/verify`, { method: 'POST', body: form })
    return [answer.status, (await answer.json()).parameter]
  }
  const document = new File(['{"version": "adp-1.0", "run_id": "a", "steps": []}'], 'run.json')
  test.each([
    ['no document', {}, 'document'],
    ['an unknown part', { document, secret: 'x' }, 'secret'],
    ['a folder', { document, source: 'x' }, 'source'],
    ['a text for a file', { document, certificate: 'x' }, 'certificate'],
    ['a file for a text', { document, audience: new File(['x'], 'x') }, 'audience'],
    ['a part for other kinds', { document, policy: new File(['x'], 'x') }, 'policy'],
    ['an anchor that is no certificate', { document, anchor: new File(['x'], 'x') }, 'anchor'],
  ])('refuses a form with %s', async (_, parts, parameter) => {
    expect(await post(parts)).toEqual([400, parameter])
  })
  test('checks the provider of a form', async () => {
    const { file, bytes } = examples.adl!
    const given = { 'expect-provider': 'acme.example.com' }
    const form = new FormData()
    form.append('document', new Blob([bytes as Uint8Array<ArrayBuffer>]), file)
    form.append('expect-provider', given['expect-provider'])
    const answer = await fetch(`${server.origin}/v1/verify`, { method: 'POST', body: form })
    const inBoth = [await answer.json(), await verify(bytes, { file, given })]
    for (const proof of inBoth) {
      expect(proof.verdict).not.toBe('verified')
      expect(proof.steps.find(({ name }: { name: string }) => name === 'provider').outcome).not.toBe('skipped')
    }
  })
  test('refuses a form that is broken', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await fetch(`${server.origin}/v1/verify`, { method: 'POST', body: '--y', headers })
    expect(answer.status).toBe(400)
  })
})

test('every need is asked for by the terminal, with the words of its row', async () => {
  const { stdout } = await blazon(['verify', '--help'])
  const help = stdout.replace(/\s+/g, ' ')
  const needs = PROVED.flatMap((kind) => Object.entries(needsOf(kind)))
  expect(needs.length).toBeGreaterThan(15)
  for (const [name, { about }] of needs)
    expect(help).toMatch(new RegExp(`--${name} (?:[A-Z]+ )?${about.replace(/[()'.?]/g, '\\$&')}`))
})

test('what a kind cannot show is an open question', async () => {
  const { file, bytes, given } = examples.run!
  const { verdict, steps } = await verify(bytes, { file, given: given!, expect: { provider: 'acme.example.com' } })
  expect([verdict, steps.at(-1)!.name]).toEqual(['unverifiable', 'expected'])
})

test('what was given overrides no option of the caller, and has to be of the type that is needed', async () => {
  const card = examples.card!
  const asked: string[] = []
  const resolver = (id: string) => {
    asked.push(id)
    return [card.key!.publicKey]
  }
  expect((await verify(card.bytes, { resolver })).verdict).toBe('verified')
  expect((await verify(card.bytes, { resolver, given: {} })).verdict).toBe('verified')
  expect(asked).toEqual(['agent://scout', 'agent://scout'])
  const { file, bytes } = examples.run!
  for (const given of [{ certificate: 'x' }, { anchor: 'x' }, { audience: inFile('a', 'b') }] as NeedValues[])
    await expect(verify(bytes, { file, given })).rejects.toThrow(/^given\["\w+"\]: expected /)
})

describe.runIf(browser.available)('the page', () => {
  test('asks for the certificate of a run, and comes to the same verdict', async () => {
    const { bytes, given = {} } = examples.run!
    const { page } = await visit()
    await page.fill('#source', new TextDecoder().decode(bytes))
    await page.click('#tab-signature')
    const outcome = () => page.locator('#proof .outcome').textContent()
    await expect.poll(outcome).toContain('Unverifiable')
    const part = ({ file, bytes: content }: { file: string; bytes: Uint8Array }) => ({
      name: file,
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(content),
    })
    const [certificate, [anchor]] = [
      given['certificate'] as Parameters<typeof part>[0],
      given['anchor'] as Parameters<typeof part>[0][],
    ]
    await page.getByLabel("The agent's certificate").setInputFiles(part(certificate))
    await page.getByLabel('The authorities that you trust').setInputFiles([part(anchor!)])
    await expect.poll(outcome).toContain('Verified')
  })
})
