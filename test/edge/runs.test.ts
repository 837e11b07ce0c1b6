// Runs at the Worker, in the real runtime: opened, extended, read, listed and proven.
import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { generateKey, importKey } from '../../bindings/keys/index.ts'
import { createAuthority, issueCertificate } from '../../bindings/runs/identity/certificates.ts'
import { redactRun } from '../../bindings/runs/record/redact-run.ts'
import { urlSink } from '../../bindings/runs/record/sink.ts'
import { readCheckpoint, readNote } from '../../bindings/runs/stream/note.ts'
import { verifyGrowth, verifyLine } from '../../bindings/runs/stream/proof-file.ts'
import { split } from '../../bindings/runs/stream/seal.ts'
import { isConsistent, Leaves, leafHash } from '../../bindings/runs/stream/tree.ts'
import { verifyStream } from '../../bindings/runs/stream/verify.ts'
import { changed, REVIEW } from '../runs/records.ts'
import { ask as request } from '../support/ask.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'
import { clientOf, linesOf, recordOf } from './runs-client.ts'
import { bearer } from './tokens.ts'

const HERE = 'agents.example.org'
const workers = workersOf()
let runtime: Runtime
const { get, open, add, send } = clientOf(() => runtime)
const encode = (text: string) => new TextEncoder().encode(text)

beforeAll(async () => {
  runtime = await workers.start()
})

async function directoryKey() {
  const { keys } = (await (await fetch(`${runtime.origin}/.well-known/jwks.json`)).json()) as { keys: JsonWebKey[] }
  return importKey(keys[0]!)
}

describe('a run', () => {
  test('is opened, extended line by line, and read back as the record, to the byte', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    expect(await open(lines[0]!)).toMatchObject({ status: 201, value: { run_id: id, size: 1 } })
    for (const [i, line] of lines.entries())
      if (i > 0) expect(await add(id, i, line)).toMatchObject({ status: 200, value: { size: i + 1 } })
    const { status, text, headers } = await get(`/runs/${id}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(text).toBe(recordOf(lines))
    const stream = await get(`/runs/${id}`, { headers: { accept: 'application/x-ndjson' } })
    expect(stream.text).toBe(lines.join(''))
  })

  test('is read as lines before it is complete, from any index', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    await open(lines[0]!)
    await add(id, 1, lines.slice(1, 3).join(''))
    const { text, headers } = await get(`/runs/${id}`)
    expect([text, headers.get('content-type')]).toEqual([lines.slice(0, 3).join(''), 'application/x-ndjson'])
    expect((await get(`/runs/${id}`, { headers: { 'last-event-id': '1' } })).text).toBe(lines[2])
  })

  test('comes as events while it goes on, which resume by index and end with the run', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    await open(lines[0]!)
    const following = get(`/runs/${id}`, { headers: { accept: 'text/event-stream', 'last-event-id': '0' } })
    await add(id, 1, lines.slice(1).join(''))
    const events = (await following).text.split('\n\n').filter((event) => event.startsWith('id'))
    expect(events).toEqual(lines.slice(1).map((line, i) => `id: ${i + 1}\ndata: ${line.trimEnd()}`))
  })

  test('is a page for a browser, which gives the token as a password; without audit, content is left out', async () => {
    const id = randomUUID()
    const hostile = '<script>alert(1)</script>\u202e'
    await send(id, { '/steps/0/action/name': hostile })
    const pageOf = async (path: string, scope: 'audit' | 'write') => {
      const token = bearer(runtime.origin, { scope, holder: REVIEW.tenant_id }).authorization.split(' ')[1]!
      const authorization = `Basic ${Buffer.from(`any:${token}`).toString('base64')}`
      const { status, text, headers } = await get(path, { headers: { accept: 'text/html', authorization } })
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect([text.includes('<script'), text.includes('\u202e')]).toEqual([false, false])
      return text
    }
    expect(await pageOf('/runs', 'audit')).toContain(`<a href="/runs/${id}">`)
    expect(await pageOf('/runs?limit=1', 'audit')).toMatch(/<a href="\/runs\?limit=1&amp;after=\d+">More/)
    const whole = await pageOf(`/runs/${id}`, 'audit')
    expect(whole).toContain('/invoices/2025-11.csv')
    expect(whole).toMatch(/✓ allow<\/strong>[\s\S]*succeeded after 12\.3 s, 3 steps/)
    expect(await pageOf(`/runs/${id}`, 'write')).not.toContain('/invoices/2025-11.csv')
    const refused = await fetch(`${runtime.origin}/runs`, { headers: { accept: 'text/html' } })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="blazon"'])
  })

  test('is not extended at another size, and the answer has the size', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    await open(lines[0]!)
    expect(await add(id, 2, lines[2]!)).toMatchObject({ status: 409, value: { size: 1 } })
    expect(await add(id, 0, lines[1]!), 'other lines than those').toMatchObject({ status: 409, value: { size: 1 } })
    expect(await add(id, '', lines[1]!)).toMatchObject({ status: 400 })
    expect(await add(id, '-1', lines[1]!)).toMatchObject({ status: 400 })
    expect(await add(id, 1, lines[2]!), 'a line is missing').toMatchObject({
      status: 422,
      value: { diagnostics: [{ code: 'RUN-202' }] },
    })
    expect(await add(id, 1, ''), 'nothing to add').toMatchObject({ status: 200, value: { size: 1 } })
  })

  test('takes repeated lines once, whole or in part', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    for (let i = 0; i < 2; i++) expect(await open(lines[0]!)).toMatchObject({ status: 201, value: { run_id: id } })
    for (let i = 0; i < 3; i++) expect(await add(id, 1, lines[1]!)).toMatchObject({ status: 200, value: { size: 2 } })
    expect(await add(id, 1, lines.slice(1, 3).join(''))).toMatchObject({ status: 200, value: { size: 3 } })
    expect(await add(id, 0, lines.slice(0, 2).join(''))).toMatchObject({ status: 200, value: { size: 3 } })
    const other = linesOf(id, { '/agent/agent_id': 'other' })
    expect(await open(other[0]!)).toMatchObject({ status: 409, value: { size: 3 } })
    expect((await get(`/runs/${id}`)).text).toBe(lines.slice(0, 3).join(''))
  })

  test('refuses lines that are not canonical, of another run, doubled, or after the end', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    const refused = async (size: number, body: string) => {
      const { status, value } = await add(id, size, body)
      return [status, (value['diagnostics'] as undefined | { code: string }[])?.[0]?.code]
    }
    expect(await open(lines[1]!), 'not a start').toMatchObject({ status: 422 })
    expect(await open(lines.slice(0, 2).join('')), 'two lines').toMatchObject({ status: 400 })
    expect(await open(''), 'no line').toMatchObject({ status: 400 })
    for (const unsafe of ['..', 'a/b', 'index', 'x'.repeat(129)])
      expect(await open(lines[0]!.replaceAll(id, unsafe)), unsafe).toMatchObject({ status: 400 })
    for (const other of [randomUUID(), ''])
      expect(await open(lines[0]!.replace(id, other)), 'two ids').toMatchObject({ status: 422 })
    await open(lines[0]!)
    expect(await refused(1, lines[1]!.trimEnd())).toEqual([422, 'RUN-201'])
    expect(await refused(1, lines[1]!.replace('{', '{ '))).toEqual([422, 'RUN-201'])
    expect(await refused(1, lines[1]!.replace(id, randomUUID()))).toEqual([422, 'RUN-202'])
    expect(await refused(1, lines[1]! + lines[1]!.replace('"seq":1', '"seq":2'))).toEqual([422, 'RUN-203'])
    expect(await refused(1, lines[1]!.replace('"tool_call"', '"tool_cal"'))).toEqual([422, 'RUN-212'])
    await add(id, 1, lines[1]!)
    expect(await refused(2, lines[1]!.replace('"seq":1', '"seq":2')), 'in another request').toEqual([422, 'RUN-203'])
    await add(id, 2, lines.slice(2).join(''))
    const last = lines.at(-1)!.replace(`"seq":${lines.length - 1}`, `"seq":${lines.length}`)
    expect(await refused(lines.length, last)).toEqual([422, 'RUN-202'])
    expect((await get(`/runs/${id}`)).text).toBe(recordOf(lines))
  })

  test('has only members that its line may have, and a valid head and end, before anything is stored', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    const size = lines.length - 1
    const changedLine = (line: string, set: Record<string, unknown>) => {
      const text = new TextDecoder().decode(canonicalizeValue(changed(JSON.parse(line), { set })))
      return `${text}\n`
    }
    const codeOf = ({ status, value }: { status: number; value: Record<string, unknown> }) => [
      status,
      (value['diagnostics'] as undefined | { code: string }[])?.[0]?.code,
    ]
    const heads = {
      '/run/agent': {},
      '/run/started_at': '2025-02-30T10:00:00Z',
      '/run/version': 'adp-2',
      '/run/context': [],
    }
    for (const [pointer, value] of Object.entries(heads))
      expect(codeOf(await open(changedLine(lines[0]!, { [pointer]: value }))), pointer).toEqual([422, 'RUN-212'])
    expect(codeOf(await open(changedLine(lines[0]!, { '/run/status': 'failed' })))).toEqual([422, 'RUN-230'])
    expect(await open(changedLine(lines[0]!, { '/run/tenant_id': 'other' }))).toMatchObject({ status: 400 })
    expect((await get(`/runs/${id}`)).status).toBe(404)
    await open(lines[0]!)
    await add(id, 1, lines.slice(1, size).join(''))
    for (const [name, value] of Object.entries({
      agent: { agent_id: 'mallory' },
      run_id: 'x',
      steps: [],
      tenant_id: 'x',
    }))
      expect(codeOf(await add(id, size, changedLine(lines[size]!, { [`/end/${name}`]: value }))), name).toEqual([
        422,
        'RUN-230',
      ])
    for (const [name, value] of Object.entries({ status: 'done', completed_at: '25:00', metadata: 1 }))
      expect(codeOf(await add(id, size, changedLine(lines[size]!, { [`/end/${name}`]: value }))), name).toEqual([
        422,
        'RUN-212',
      ])
    expect((await get(`/runs/${id}`)).headers.get('content-type')).toBe('application/x-ndjson')
    await add(id, size, lines[size]!)
    expect((await get(`/runs/${id}`)).text).toBe(recordOf(lines))
  })

  test('has steps that are what their intents announced, also in another request', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    const { step } = JSON.parse(lines[1]!) as { step: { index: number; timestamp: string; action: { name: string } } }
    const { index, timestamp, action } = step
    const text = (seq: number, value: object) =>
      `${new TextDecoder().decode(canonicalizeValue({ run_id: id, seq, ...value }))}\n`
    await open(lines[0]!)
    const intent = text(1, { type: 'step_started', intent: { index, timestamp, action } })
    expect(await add(id, 1, intent)).toMatchObject({ status: 200 })
    const refused = async (line: string) => {
      const { status, value } = await add(id, 2, line)
      return [status, (value['diagnostics'] as undefined | { code: string }[])?.[0]?.code]
    }
    const other = { ...step, action: { ...action, name: 'rm' } }
    expect(await refused(text(2, { type: 'step', step: other }))).toEqual([422, 'RUN-231'])
    expect(await refused(intent.replace('"seq":1', '"seq":2'))).toEqual([422, 'RUN-203'])
    expect(await add(id, 2, text(2, { type: 'step', step }))).toMatchObject({ status: 200 })
  })

  test('is redacted without the scope audit: its record, its lines and its events', async () => {
    const id = randomUUID()
    const secret = { '/context/task_description': 'find SECRET', '/steps/0/action/input': { query: 'SECRET' } }
    await send(id, secret)
    const lines = linesOf(id, secret)
    const grant = { scope: 'write' }
    const { text } = await get(`/runs/${id}`, { grant })
    expect(text).toBe(new TextDecoder().decode(redactRun(recordOf(lines)).bytes))
    for (const accept of ['application/x-ndjson', 'text/event-stream']) {
      const { text } = await get(`/runs/${id}`, { grant, headers: { accept } })
      expect(text).toContain('"run_completed"')
      expect(text).not.toMatch(/SECRET|"input"|"output"|task_description/)
    }
    expect((await get(`/runs/${id}`)).text).toContain('SECRET')
  })
})

describe('the trees', () => {
  test('[runs/7.1-1] are signed by the key of the directory, for a run that anyone with the key verifies', async () => {
    const id = randomUUID()
    await send(id)
    const { text } = await get(`/runs/${id}/checkpoint`)
    expect(text).toMatch(new RegExp(`^blazon.invalid/adp/${id}\n${linesOf(id).length}\n`))
    const options = { checkpoints: encode(text), keys: [await directoryKey()] }
    expect((await verifyStream(encode(linesOf(id).join('')), options)).verdict).toBe('verified')
    const cut = linesOf(id).slice(0, -1).join('')
    expect((await verifyStream(encode(cut), options)).verdict).toBe('failed')
  })

  test('prove each line, and their growth', async () => {
    const id = randomUUID()
    const lines = linesOf(id)
    await open(lines[0]!)
    await add(id, 1, lines[1]!)
    const since = encode((await get(`/runs/${id}/checkpoint`)).text)
    const before = readCheckpoint(readNote(since)!.text)!
    await add(id, 2, lines.slice(2).join(''))
    const key = await directoryKey()
    for (const [i, line] of lines.entries()) {
      const proof = encode((await get(`/runs/${id}/proof/${i}`)).text)
      expect((await verifyLine(proof, { line: encode(line), keys: [key] })).verdict).toBe('verified')
      const other = encode(lines[(i + 1) % lines.length]!)
      expect((await verifyLine(proof, { line: other, keys: [key] })).verdict).toBe('failed')
    }
    const { value, text } = await get(`/runs/${id}/consistency?from=2`)
    expect((await verifyGrowth(encode(text), { since, keys: [key] })).verdict).toBe('verified')
    expect((await verifyGrowth(encode(text), { keys: [key] })).verdict).toBe('unverifiable')
    const after = readCheckpoint(readNote(encode(value['checkpoint']!))!.text)!
    const proof = (value['proof'] as unknown as string[]).map((hash) => new Uint8Array(Buffer.from(hash, 'base64')))
    expect(isConsistent(before, after, proof)).toBe(true)
    for (const path of [`proof/${lines.length}`, 'proof/x', 'proof/-1', `consistency?from=${lines.length + 1}`])
      expect((await get(`/runs/${id}/${path}`)).status, path).toBe(404)
    expect((await get(`/runs/${id}/consistency?from=x`)).status).toBe(400)
  })

  test('[runs/7.1-3] of a tenant have each start and each end, so a run that disappears is seen', async () => {
    const other = clientOf(() => runtime, 'watched')
    const tenant = { '/tenant_id': 'watched' }
    const [a, b] = [randomUUID(), randomUUID()]
    await other.send(a)
    const earlier = readCheckpoint(readNote(encode((await other.get('/runs/index/checkpoint')).text))!.text)!
    await other.open(linesOf(b, tenant)[0]!)
    const { text } = await other.get('/runs/index')
    const leaves = text.trimEnd().split('\n')
    const lines = linesOf(a, tenant)
    const tree = new Leaves()
    for (const line of lines) tree.append(leafHash(encode(line.trimEnd())))
    expect(leaves.map((leaf) => JSON.parse(leaf))).toEqual([
      { opened: true, run_id: a, at: expect.stringMatching(/^20.*Z$/) },
      { closed: true, run_id: a, size: lines.length, root: Buffer.from(tree.root()).toString('base64') },
      { opened: true, run_id: b, at: expect.any(String) },
    ])
    const rootOf = (some: readonly string[]) => {
      const made = new Leaves()
      for (const leaf of some) made.append(leafHash(encode(leaf)))
      return made.root()
    }
    const note = readNote(encode((await other.get('/runs/index/checkpoint')).text))!
    const head = readCheckpoint(note.text)!
    expect([head.size, head.root, rootOf(leaves.slice(0, 2))]).toEqual([3, rootOf(leaves), earlier.root])
    expect(head.origin).toMatch(/^blazon\.invalid\/adp\/tenants\/[0-9a-f]{64}$/)
    // An index without the first run has another root than the one that was signed.
    expect(rootOf(leaves.slice(2))).not.toEqual(head.root)
  })

  test('have the name of the domain in their checkpoints', async () => {
    const own = await workers.start({ settings: { PUBLIC_ORIGIN: `https://${HERE}` } })
    const id = randomUUID()
    const headers = {
      ...bearer(`https://${HERE}`, { scope: 'write', holder: REVIEW.tenant_id }),
      'content-type': 'application/x-ndjson',
    }
    await request(`${own.origin}/runs`, { host: HERE, method: 'POST', headers, body: linesOf(id)[0]! })
    const { text } = await request(`${own.origin}/runs/${id}/checkpoint`, { host: HERE, headers })
    expect(text).toMatch(new RegExp(`^${HERE}/adp/${id}\n1\n`))
  })
})

describe('GET /runs', () => {
  const client = clientOf(() => runtime, 'lister')
  const idsIn = (value: Record<string, never>) =>
    (value['runs'] as unknown as { run_id: string }[]).map((run) => run.run_id)
  const ids = Array.from({ length: 5 }, () => randomUUID())

  beforeAll(async () => {
    for (const [i, id] of ids.entries()) {
      const change = {
        '/tenant_id': 'lister',
        '/agent/agent_id': i < 2 ? 'scout' : 'writer',
        '/context/labels': ['all', `n${i}`],
        // Times sort by their moment, whatever their zone.
        '/started_at': i === 2 ? '2025-12-10T20:00:02+01:00' : `2025-12-10T19:00:0${i}.000Z`,
      }
      if (i === 4) await client.open(linesOf(id, change)[0]!)
      else await client.send(id, change)
    }
  })

  test.each([
    ['', [0, 1, 2, 3, 4]],
    ['?agent=scout', [0, 1]],
    ['?status=open', [4]],
    ['?status=succeeded&agent=writer', [2, 3]],
    ['?label=n3', [3]],
    ['?label=all&since=2025-12-10T19:00:03', [3, 4]],
    ['?since=2025-12-10T19:00:01&until=2025-12-10T19:00:03', [1, 2]],
    ['?until=2025-12-10', []],
    ['?limit=2', [0, 1]],
    ['?limit=2&after=2', [2, 3]],
    ["?agent=' OR 1=1 --", []],
  ])('%s lists the runs %j', async (query, wanted) => {
    const { value } = await client.get(`/runs${query}`)
    expect(idsIn(value)).toEqual(wanted.map((i) => ids[i]))
  })

  test('shows what is known of a run', async () => {
    const { value } = await client.get('/runs?limit=1')
    expect(value).toEqual({
      runs: [
        {
          seq: 1,
          run_id: ids[0],
          agent_id: 'scout',
          labels: ['all', 'n0'],
          started_at: '2025-12-10T19:00:00.000Z',
          status: 'succeeded',
          size: linesOf(ids[0]!).length,
          linkage: null,
        },
      ],
    })
  })

  test.each(['?status=a&status=b', '?limit=101', '?q=1', '?after=x'])('%s is refused', async (query) => {
    expect((await client.get(`/runs${query}`)).status).toBe(400)
  })
})

describe('LEVEL_WANTED=2', () => {
  const TENANT = '00000000-0000-4000-8000-000000000123'
  const capabilities = ['agent:scout', `tenant:${TENANT}`]
  let linked: Runtime
  const client = clientOf(() => linked, TENANT)
  let lines: (id: string, change?: object) => string[]

  beforeAll(async () => {
    const [authorityKey, { publicKey }] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
    const authority = await createAuthority({ key: authorityKey, name: 'Tests' })
    const issued = { authority, authorityKey, publicKey, agent: 'scout', tenant: TENANT, capabilities }
    const certificate = await issueCertificate(issued)
    const der = certificate.replace(/-----[^-]+-----|\s/g, '')
    const fingerprint = `sha256:${createHash('sha256').update(Buffer.from(der, 'base64')).digest('hex')}`
    lines = (id, change = {}) => {
      const now = new Date().toISOString()
      const aip = { cert_fingerprint: fingerprint, tenant_id: TENANT, capabilities }
      const set = { '/tenant_id': TENANT, '/agent': { agent_id: 'scout', aip }, '/started_at': now, ...change }
      const record = changed(
        { ...REVIEW, steps: [], completed_at: now, metadata: {} },
        { set: { '/run_id': id, ...set } },
      )
      const made = split(JSON.stringify(record), { chain: [der] }).lines!
      return made.map((line) => `${new TextDecoder().decode(line)}\n`)
    }
    linked = await workers.start({ settings: { LEVEL_WANTED: '2', AIP_ANCHORS: authority } })
  })

  test('lists the runs of certified agents; others are stored, marked, and left out', async () => {
    const [good, forged, bare] = [randomUUID(), randomUUID(), randomUUID()]
    await client.open(lines(good)[0]!)
    await client.open(lines(forged, { '/agent/aip/capabilities': [...capabilities, 'perm:all:write'] })[0]!)
    await client.open(linesOf(bare, { '/tenant_id': TENANT })[0]!)
    const listed = async (query: string) => {
      const { value } = await client.get(`/runs${query}`)
      return (value['runs'] as unknown as { run_id: string }[]).map((run) => run.run_id)
    }
    expect(await listed('')).toEqual([good])
    expect(await listed('?linkage=failed')).toEqual([forged])
    expect(await listed('?linkage=unverifiable')).toEqual([bare])
    expect((await client.get(`/runs/${forged}`)).headers.get('blazon-linkage')).toBe('failed')
    expect((await client.get(`/runs/${good}`)).headers.get('blazon-linkage')).toBe('verified')
  })

  test('takes a chain that is not a certificate for what it is', async () => {
    const id = randomUUID()
    const line = lines(id)[0]!.replace(/"chain":\["[^"]+"\]/, '"chain":["AAAA"]')
    expect((await client.open(line)).status).toBe(201)
    expect((await client.get(`/runs/${id}`)).headers.get('blazon-linkage')).toBe('failed')
  })
})

test('a recorder with a URL as its sink records here', async () => {
  const id = randomUUID()
  const { authorization } = bearer(runtime.origin, { scope: 'write', holder: REVIEW.tenant_id })
  const sink = urlSink(runtime.origin, { token: authorization.slice('Bearer '.length) })
  const lines = linesOf(id)
  const bytes = lines.map(encode)
  await sink.append(id, 0, bytes.slice(0, 2))
  await sink.append(id, 2, bytes.slice(2))
  await sink.append(id, 1, bytes.slice(1))
  expect((await get(`/runs/${id}`)).text).toBe(recordOf(lines))
})
