// Records of runs: lines appended to a stream (their hashes are made four at a time) and verified, a record checked, a certificate read, each against other
// libraries that do the same work: canonicalize, @noble/hashes with the same tree, Ajv, @peculiar/x509.
import 'reflect-metadata'
import { spawnSync } from 'node:child_process'
import { createPublicKey, verify as nodeVerify } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@noble/hashes/sha2.js'
import { X509Certificate } from '@peculiar/x509'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalize as canonicalizeText, canonicalizeValue } from 'blazon/core'
import { decodeBase64, exportKey, generateKey } from 'blazon/keys'
import { createAuthority, issueCertificate, readAgentCertificate, seal, validate, verifyStream } from 'blazon/runs'
import { importBundled } from '../support/bundle.mjs'
import { peer } from '../support/peers.mjs'
import { median } from './harness.mjs'

export const title = 'Runs: streams, records and certificates'

export const notes = [
  'The 1,000 steps: reading strictly, with positions, takes 55 % of the time, which is longer than all that the peer does.',
  'The certificate: Web Crypto takes 155 us to import its key, alone; the floor asks for 13 us in all.',
]

const RUN_ID = '5b8f1f52-6c40-4c4e-9d6a-2f1d3a7f9b10'
const encode = (text) => new TextEncoder().encode(text)
const decode = (bytes) => new TextDecoder().decode(bytes)

/** A step whose line has about this many bytes; its members are in no order. */
function step(index, bytes) {
  return {
    timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    index,
    observation: {
      type: 'tool_result',
      output: { rows: index, text: 'The file has 41 rows. '.repeat(Math.max(1, (bytes - 330) / 22)) },
    },
    action: { type: 'tool_call', name: 'read_file', input: { path: `/invoices/${index}.csv`, limit: 0.5 } },
    metadata: { model: 'm-1', prompt_tokens: 10, completion_tokens: 5, latency_ms: 120 },
    reflection: { thought: 'The next step compares the rows.', uncertainty: 0.1 },
  }
}

/** A run whose lines have about this many bytes. */
function run(steps, bytes) {
  const head = { version: 'adp-1', run_id: RUN_ID, tenant_id: 'harbour', started_at: '2026-01-01T00:00:00Z' }
  const agent = { agent_id: 'coach', aip: { cert_fingerprint: 'none' } }
  const end = { status: 'succeeded', completed_at: '2026-01-02T00:00:00Z' }
  return { ...head, agent, steps: Array.from({ length: steps }, (_, i) => step(i, bytes)), ...end }
}

/** The tree of RFC 6962 that the peers use: the same algorithm with their SHA-256. */
class PeerTree {
  #subtrees = []
  #size = 0
  append(line) {
    const bytes = new Uint8Array(1 + line.length)
    bytes.set(line, 1)
    let hash = sha256(bytes)
    for (let size = this.#size++; size % 2 === 1; size = (size - 1) / 2) hash = this.#node(this.#subtrees.pop(), hash)
    this.#subtrees.push(hash)
  }
  #node(left, right) {
    const bytes = new Uint8Array(65)
    bytes[0] = 1
    bytes.set(left, 1)
    bytes.set(right, 33)
    return sha256(bytes)
  }
  get root() {
    return this.#subtrees.reduceRight((right, left) => this.#node(left, right))
  }
}

const own = () =>
  importBundled(
    'bench-runs',
    `export { Frontier } from './bindings/runs/stream/tree.ts'\nexport { readCertificate } from './bindings/keys/certificate.ts'`,
  )

export async function cases() {
  const { default: canonicalize } = await peer('canonicalize')
  const { Frontier, readCertificate } = await own()
  const values = [1, 10, 100].map((kilobytes) => appending(kilobytes, { canonicalize, Frontier }))
  const audit = reads('runs audit', '--against', 'FOLDER/ids.txt')
  const reading = [reads('verify'), reads('runs show'), reads('runs tail'), audit]
  return [
    ...values.flat(),
    await verifying(canonicalize),
    ...reading,
    validating(),
    ...(await certificates(readCertificate)),
  ]
}

const FLOORS = { 1: [3, 4, 1.8, 2.4], 10: [3.5, 4.8], 100: [4.5, 6, 1.4, 1.8] }

function appending(kilobytes, { canonicalize, Frontier }) {
  const value = { type: 'step', run_id: RUN_ID, seq: 1, step: step(0, kilobytes * 1000) }
  const bytes = encode(JSON.stringify(value))
  const [floor, aim, floorOfValues, aimOfValues] = FLOORS[kilobytes]
  const job = (name, floorOfJob, aimOfJob, ourLine, peerLine) => {
    const [ours, theirs] = [new Frontier(), new PeerTree()]
    return {
      name: `${name}, ${kilobytes} KB`,
      floor: floorOfJob,
      aim: aimOfJob,
      check() {
        const [a, b] = [new Frontier(), new PeerTree()]
        for (let i = 0; i < 5; i++) [a.appendLeaf(ourLine()), b.append(encode(peerLine()))]
        if (decode(ourLine()) !== peerLine() || Buffer.compare(a.root, b.root) !== 0) throw new Error(`${name} differs`)
      },
      ours: () => ours.appendLeaf(ourLine()),
      peers: { 'canonicalize, @noble/hashes': () => theirs.append(encode(peerLine())) },
    }
  }
  const fromBytes = job(
    'append from bytes',
    floor,
    aim,
    () => canonicalizeText(bytes),
    () => canonicalize(JSON.parse(decode(bytes))),
  )
  if (floorOfValues === undefined) return [fromBytes]
  return [
    fromBytes,
    job(
      'append from values',
      floorOfValues,
      aimOfValues,
      () => canonicalizeValue(value),
      () => canonicalize(value),
    ),
  ]
}

async function verifying(canonicalize) {
  const key = await generateKey('Ed25519')
  const { stream, checkpoints } = await seal(run(2000, 400), { key })
  const pem = createPublicKey(await exportKey(key.publicKey, 'pem'))
  const ours = async () => (await verifyStream(stream, { checkpoints, keys: [key.publicKey] })).verdict === 'verified'
  const theirs = async () => {
    const tree = new PeerTree()
    for (const line of decode(stream).trimEnd().split('\n')) {
      if (canonicalize(JSON.parse(line)) !== line) return false
      tree.append(encode(line))
    }
    const [text, signatures] = decode(checkpoints).split('\n\n')
    const signature = decodeBase64(signatures.trim().split(' ')[2]).subarray(4)
    return (
      text.split('\n')[2] === Buffer.from(tree.root).toString('base64') &&
      nodeVerify(null, encode(`${text}\n`), pem, signature)
    )
  }
  if (!(await ours()) || !(await theirs())) throw new Error('the stream does not verify')
  return {
    name: `verify a stream, ${Math.round(stream.length / 2002)} bytes a line, times canonicalize and @noble/hashes (which do not check the record)`,
    unit: 'x',
    atMost: 0.37,
    aim: 1 / 4,
    measure: () => byTurns(ours, theirs),
  }
}

const LONG_MEGABYTES = 1000

let longFolder
/** The folder with a long stream and a witness of it, which all rows share. It is removed at the end. */
function longStream() {
  if (longFolder !== undefined) return longFolder
  longFolder = mkdtempSync(join(tmpdir(), 'blazon-bench-'))
  process.once('exit', () => rmSync(longFolder, { recursive: true }))
  writeLongStream(join(longFolder, 'run.ndjson'))
  writeFileSync(join(longFolder, 'ids.txt'), `${RUN_ID}\n`)
  return longFolder
}

/** The most memory that a command takes while it reads a long stream. Bare Node takes 40 MB. */
function reads(command, ...options) {
  return {
    name: `${command}: the most memory for a stream of 1 GB`,
    unit: ' MB',
    atMost: 110,
    aim: 90,
    async measure() {
      const folder = longStream()
      const report = "process.on('exit', () => process.stderr.write('\\n' + process.resourceUsage().maxRSS))"
      const program = ['--import', `data:text/javascript,${encodeURIComponent(report)}`, 'dist/cli/blazon.js']
      const files = [join(folder, 'run.ndjson'), ...options.map((one) => one.replace('FOLDER', folder))]
      const stdio = ['ignore', 'ignore', 'pipe']
      const { stderr } = spawnSync(process.execPath, [...program, ...command.split(' '), ...files], {
        stdio,
        encoding: 'utf8',
      })
      return Math.round(Number(stderr.trim().split('\n').at(-1)) / 1000)
    },
  }
}

function writeLongStream(path) {
  const file = openSync(path, 'w')
  const write = (lines) => writeSync(file, lines.map((line) => `${decode(canonicalizeValue(line))}\n`).join(''))
  const { steps: _, status, completed_at, ...head } = run(0, 0)
  write([{ type: 'run_started', run_id: RUN_ID, seq: 0, run: head }])
  let seq = 1
  for (let length = 0; length < LONG_MEGABYTES * 1e6; )
    length += write(
      Array.from({ length: 1000 }, () => ({ type: 'step', run_id: RUN_ID, seq, step: step(seq++ - 1, 500) })),
    )
  write([{ type: 'run_completed', run_id: RUN_ID, seq, end: { status, completed_at } }])
  closeSync(file)
}

/** The time of ours, divided by theirs. */
async function byTurns(ours, theirs, calls = 1) {
  const times = [[], []]
  for (let round = 0; round < 41; round++)
    for (const [i, work] of (round % 2 === 0 ? [ours, theirs] : [theirs, ours]).entries()) {
      const start = performance.now()
      for (let i = 0; i < calls; i++) if (!(await work())) throw new Error('the answer is wrong')
      times[round % 2 === 0 ? i : 1 - i].push(performance.now() - start)
    }
  return median(times[0]) / median(times[1])
}

/** The rules of a record that a schema cannot say, as anybody would write them. */
function rulesHold({ steps, started_at, completed_at }) {
  const seen = new Set()
  const [start, end] = [Date.parse(started_at), Date.parse(completed_at)]
  for (const [i, { index, parent_step_index: parent, timestamp, reflection, metadata }] of steps.entries()) {
    const time = Date.parse(timestamp)
    if (seen.has(index) || index !== i || (parent != null && parent >= index) || time < start || time > end)
      return false
    if (reflection?.uncertainty < 0 || reflection?.uncertainty > 1 || metadata?.prompt_tokens < 0) return false
    seen.add(index)
  }
  return start <= end
}

function validating() {
  const bytes = encode(JSON.stringify(run(1000, 640)))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const isRun = ajv.compile(JSON.parse(readFileSync('bindings/runs/record/adp-1.json', 'utf8')))
  const theirs = () => {
    const record = JSON.parse(decode(bytes))
    return isRun(record) && rulesHold(record)
  }
  return {
    name: `validate 1,000 steps, ${Math.round(bytes.length / 1000)} KB`,
    floor: 0.6,
    aim: 1,
    check() {
      if (!theirs() || !validate(bytes).valid) throw new Error('the record is not valid')
    },
    ours: () => validate(bytes).valid,
    peers: { 'JSON.parse, Ajv and the same rules': theirs },
  }
}

async function certificates(readCertificate) {
  const [key, { publicKey }] = await Promise.all([generateKey('ES256'), generateKey('ES256')])
  const authority = await createAuthority({ key, name: 'Harbour' })
  const tenant = '00000000-0000-4000-8000-000000000123'
  const parts = { authority, authorityKey: key, publicKey, agent: 'coach', tenant, capabilities: ['perm:files:read'] }
  const pem = await issueCertificate(parts)
  const bytes = readCertificate(pem).bytes
  const theirs = () => {
    const { serialNumber, notBefore, notAfter, extensions, publicKey: spki, subject } = new X509Certificate(bytes)
    const values = extensions.map(({ type, critical, value }) => [type, critical, value.byteLength])
    return [serialNumber, notBefore, notAfter, values, spki.rawData.byteLength, subject]
  }
  const ours = () => {
    const { serial, notBefore, notAfter, extensions, spki, subject } = readCertificate(bytes)
    const values = Array.from(extensions, ([oid, { critical, value }]) => [oid, critical, value.length])
    return [serial, notBefore, notAfter, values, spki.length, `CN=${subject.commonName}, O=${subject.organization}`]
  }
  const profiled = async () => (await readAgentCertificate(bytes)).diagnostics.length === 0
  return [
    {
      name: 'certificate read',
      floor: 40,
      aim: 80,
      check() {
        if (JSON.stringify(ours()) !== JSON.stringify(theirs())) throw new Error('the certificate differs')
      },
      ours,
      peers: { '@peculiar/x509': theirs },
    },
    {
      name: 'certificate read and profiled, times @peculiar/x509 reading it',
      unit: 'x',
      atMost: 1 / 40,
      aim: 1 / 80,
      measure: () => byTurns(profiled, async () => theirs().length > 0, 20),
    },
  ]
}
