// Containers: what is in them, who signed them, and every attack on them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readArchive, writeArchive } from '../../../bindings/agentlang/container/archive.ts'
import {
  openContainer,
  sealContainer,
  unpackContainer,
  verifyContainer,
} from '../../../bindings/agentlang/container/seal.ts'
import { openSecret, writeSecret } from '../../../bindings/agentlang/container/secret.ts'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import type { Proof } from '../../../bindings/frame/source.ts'
import { open, validate, verify } from '../../../bindings/index.ts'
import { exportKey, generateKey, importKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import { processorTime } from '../../support/effort.ts'
import { hasPrograms } from '../../support/programs.ts'

const hasChecker = hasPrograms('containers in OpenSSL and Python', ['openssl', 'python3-cryptography'])

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array | undefined) => new TextDecoder().decode(content)
const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i)
const FILES = {
  'agent.yaml': 'name: coach\nversion: 1.0.0\ndeveloper: acme\n',
  'prompt.yaml': 'version: 2\nrole: You are kind.\n',
  'agents/helper-prompt.yaml': 'version: 2\nrole: You help.\n',
  'context/ä.md': '# ä\n',
}
const PROMPTS = ['prompt.yaml', 'agents/helper-prompt.yaml']

let key: PrivateKey
let other: PrivateKey
let small: Uint8Array
beforeAll(async () => {
  ;[key, other] = await Promise.all([generateKey('Ed25519'), generateKey('Ed25519')])
  small = await sealed()
})

const sha256 = async (content: Uint8Array) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(content))).toString('hex')

/** agent.lock for files, as `build` writes it for a container. */
async function lockOf(files: Record<string, string>, agent = 'coach@1.0.0'): Promise<Uint8Array> {
  const rows = Object.entries(files).map(async ([path, content]) => {
    const isPrompt = PROMPTS.includes(path)
    const entry = isPrompt
      ? await (await openSecret(SECRET, agent)).lockEntry(path, bytes(content))
      : `sha256:${await sha256(bytes(content))}`
    return `  ${JSON.stringify(path)}: ${entry}\n`
  })
  return bytes(`version: "1"\nfiles:\n${(await Promise.all(rows)).join('')}`)
}

async function sealed(
  options: Partial<sealContainer.Options> = {},
  files: Record<string, string> = FILES,
): Promise<Uint8Array> {
  const version = options.version ?? '1.0.0'
  return sealContainer({
    name: 'coach',
    version,
    developer: 'acme',
    files: new Map(Object.entries(files).map(([path, content]) => [path, bytes(content)])),
    lock: await lockOf(files, `coach@${version}`),
    key,
    secret: SECRET,
    ...options,
  })
}

type Manifest = { files: Record<string, unknown>[]; signer: Record<string, string> } & Record<string, unknown>

/** Changes the files and the manifest of a container, and signs it again with a key unless that is null. */
async function forged(
  container: Uint8Array,
  change: (files: Map<string, Uint8Array>, manifest: Manifest) => void | Promise<void>,
  signer: PrivateKey | null = key,
): Promise<Uint8Array> {
  const files = new Map(readArchive(container) as ReadonlyMap<string, Uint8Array>)
  const manifest = JSON.parse(text(files.get('manifest.json')))
  await change(files, manifest)
  const message = canonicalizeValue(manifest)
  files.set('manifest.json', message)
  if (signer !== null)
    files.set('signature.sig', await signBytes({ algorithm: 'Ed25519', privateKey: signer, message }))
  return writeArchive(files)
}

/** The digests and sizes of a manifest for the files that are there. */
async function listAgain(files: Map<string, Uint8Array>, manifest: Manifest): Promise<void> {
  for (const file of manifest.files) {
    const content = files.get(String(file['path']))!
    Object.assign(file, { size: content.length, sha256: await sha256(content) })
    if (file['path'] === 'agent.lock') manifest['lock_sha256'] = file['sha256']
  }
}

/** The verdict, and the steps that did not pass. */
const outcome = ({ verdict, steps }: Proof) => [
  verdict,
  ...steps
    .filter(({ outcome: one }) => one !== 'passed')
    .map(({ name, outcome: one, diagnostic }) => `${name} ${one}${diagnostic ? ` ${diagnostic.code}` : ''}`),
]
const judged = async (container: Uint8Array, options: Parameters<typeof verifyContainer>[1] = {}) =>
  outcome(await verifyContainer(container, { keys: [key.publicKey], secret: SECRET, ...options }))

describe('a sealed container', () => {
  test('has the same bytes for files in another order', async () => {
    const reversed = Object.fromEntries(Object.entries(FILES).toReversed())
    expect(await sealed({ lock: await lockOf(FILES) }, reversed)).toEqual(small)
  })
  test('has the files of the text, the manifest first [agentlang/container-1] [agentlang/container-4]', () => {
    const files = readArchive(small) as ReadonlyMap<string, Uint8Array>
    expect([...files.keys()]).toEqual([
      'manifest.json',
      'agent.lock',
      'agent.yaml',
      'agents/helper-prompt.yaml.enc',
      'context/ä.md',
      'prompt.yaml.enc',
      'signature.sig',
    ])
    expect(text(files.get('agent.yaml'))).toBe(FILES['agent.yaml'])
  })
  test('verifies with the key of its developer, and gives its files [agentlang/container-5] [agentlang/container-6]', async () => {
    const options = { keys: [key.publicKey], secret: writeSecret(SECRET) }
    const { files, encrypted, manifest, proof } = await openContainer(small, options)
    expect(outcome(proof)).toEqual(['verified'])
    expect(manifest).toMatchObject({ name: 'coach', version: '1.0.0', developer: 'acme' })
    expect(encrypted).toEqual([])
    const { 'agent.lock': lock, ...own } = Object.fromEntries(Array.from(files!, ([path, b]) => [path, text(b)]))
    expect(own).toEqual(FILES)
    expect(lock).toBe(text(await lockOf(FILES)))
    expect(await unpackContainer(small, options)).toEqual(files)
  })
  test('is not decrypted without its secret, and the proof names the secret', async () => {
    const { files, encrypted, proof } = await openContainer(small, { keys: [key.publicKey] })
    expect(outcome(proof)).toEqual(['verified', 'decryption skipped'])
    expect(proof.steps.at(-1)!.detail).toMatch(/^not judged: the secret [0-9a-f]{8} was not given$/)
    expect(proof.doesNotShow!.join()).toContain('encrypted prompts')
    expect(encrypted).toEqual(['agents/helper-prompt.yaml.enc', 'prompt.yaml.enc'])
    expect(Array.from(files!.values(), text).join()).not.toContain('You are kind')
  })
  test('shows that nothing was changed, but not who signed it, without a key [agentlang/container-2]', async () => {
    const proof = await verifyContainer(small)
    expect(outcome(proof)).toEqual(['unverifiable', 'signer unknown AL-206', 'decryption skipped'])
    expect(proof.shows).toHaveLength(1)
    expect(proof.doesNotShow!.join()).toContain('who signed it')
    expect(await unpackContainer(small)).toBeUndefined()
  })
  test('is judged by the keys of its developer', async () => {
    const of = (developers: Record<string, PrivateKey>) =>
      judged(small, {
        keys: undefined as never,
        developers: Object.fromEntries(Object.entries(developers).map(([name, one]) => [name, [one.publicKey]])),
      })
    expect(await of({ acme: key })).toEqual(['verified'])
    expect(await of({ acme: other })).toEqual(['failed', 'signer failed AL-207'])
    expect(await of({ evil: key, ['__proto__' as string]: key })).toEqual(['unverifiable', 'signer unknown AL-206'])
    expect(await judged(small, { keys: [other.publicKey] })).toEqual(['failed', 'signer failed AL-207'])
  })
  test('is read by the verbs of all kinds', async () => {
    expect(open(small, { file: 'coach@1.0.0.agent' })).toMatchObject({ kind: 'container', diagnostics: [] })
    expect(validate(small, { file: 'coach@1.0.0.agent' })).toMatchObject({ valid: true, kind: 'container' })
    const proof = await verify(small, { file: 'x.agent', expect: { keys: [key.publicKey], id: 'coach@1.0.0' } })
    expect(outcome(proof)).toEqual(['verified', 'decryption skipped'])
    expect(proof.shows).toHaveLength(2)
  })
})

describe.runIf(hasChecker)('other programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'container-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  test('openssl verifies signature.sig over manifest.json [agentlang/container-2]', async () => {
    const files = readArchive(small) as ReadonlyMap<string, Uint8Array>
    const { signer } = JSON.parse(text(files.get('manifest.json')))
    const pem = path('key.pem', `-----BEGIN PUBLIC KEY-----\n${signer.public_key}\n-----END PUBLIC KEY-----\n`)
    expect(signer.public_key).toBe(Buffer.from(await exportKey(key.publicKey, 'spki')).toString('base64'))
    const [message, signature] = ['manifest.json', 'signature.sig'].map((name) => path(name, files.get(name)!))
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', pem, '-rawin', '-in', message!, '-sigfile', signature!]
    expect(execFileSync('openssl', args, { encoding: 'utf8' })).toContain('Verified Successfully')
  })
  test('cryptography of Python decrypts the prompts and finds their entries in the lock [agentlang/container-3]', () => {
    const script = `import hashlib, hmac, json, sys, zipfile
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
z = zipfile.ZipFile(sys.argv[1])
secret = bytes(range(32))
def derive(*parts):
    return HKDF(hashes.SHA256(), 32, None, "\\0".join(parts).encode()).derive(secret)
manifest = json.loads(z.read("manifest.json"))
agent = manifest["name"] + "@" + manifest["version"]
out = {}
for file in manifest["files"]:
    stored = z.read(file["path"])
    assert hashlib.sha256(stored).hexdigest() == file["sha256"] and len(stored) == file["size"]
    if "encrypted" not in file: continue
    path = file["path"].removesuffix(".enc")
    assert derive("agentlang/key-id/v1").hex()[:8] == file["encrypted"]["key_id"]
    plain = AESGCM(derive("agentlang/prompt-key/v1", agent, path)).decrypt(stored[:12], stored[12:], (agent + "\\0" + path).encode())
    nonce = hmac.digest(derive("agentlang/prompt-nonce/v1", agent, path), plain, "sha256")[:12]
    assert nonce == stored[:12]
    entry = "hmac-sha256:" + hmac.digest(derive("agentlang/lock/v1", agent), path.encode() + b"\\0" + plain, "sha256").hex()
    assert entry in z.read("agent.lock").decode()
    out[path] = plain.decode()
print(json.dumps(out))`
    const read = JSON.parse(execFileSync('python3', ['-c', script, path('x.agent', small)], { encoding: 'utf8' }))
    expect(read).toEqual(Object.fromEntries(Object.entries(FILES).filter(([name]) => PROMPTS.includes(name))))
  })
  test('a builder in Python makes the same container, byte for byte [agentlang/container-4]', async () => {
    const seed = new Uint8Array(32).fill(7)
    const lock = await lockOf(FILES)
    const input = JSON.stringify({
      ...{ name: 'coach', version: '1.0.0', developer: 'acme', files: FILES },
      ...{ lock: text(lock), seed: Buffer.from(seed).toString('hex'), secret: Buffer.from(SECRET).toString('hex') },
    })
    const theirs = execFileSync('python3', ['test/agentlang/container/build_container.py'], { input })
    const own = await sealed({ key: (await importKey(seed, { format: 'raw-private' })) as PrivateKey, lock })
    expect(Buffer.compare(theirs, own)).toBe(0)
  })
})

describe('attacks', () => {
  test('every truncation and every change of one byte is refused for a reason', async () => {
    const tiny = await sealed({ lock: undefined as never, secret: undefined as never }, { 'agent.yaml': 'name: x\n' })
    const reasons = new Set<string>()
    for (let at = 0; at < tiny.length; at++) {
      const changed = tiny.slice()
      changed[at]! ^= 1 << (at & 7)
      for (const attack of [changed, tiny.subarray(0, at)]) {
        const [verdict, ...steps] = await judged(attack)
        expect(verdict, `byte ${at}`).toBe('failed')
        for (const step of steps) reasons.add(step)
      }
    }
    expect([...reasons]).toEqual(['document failed AL-191'])
  })
  test('a byte of a file, in an archive that is written again', async () => {
    const flipped = (name: string) =>
      forged(
        small,
        (files) => {
          const content = files.get(name)!.slice()
          content[content.length - 1]! ^= 1
          files.set(name, content)
        },
        null,
      )
    for (const name of ['agent.yaml', 'prompt.yaml.enc', 'agent.lock', 'context/ä.md'])
      expect((await judged(await flipped(name)))[1], name).toBe('digests failed AL-209')
    expect((await judged(await flipped('signature.sig')))[1]).toBe('signature failed AL-205')
  })
  test('the signature of another version', async () => {
    const next = await sealed({ version: '1.0.1' })
    const mixed = await forged(
      small,
      (files) => {
        files.set('signature.sig', (readArchive(next) as Map<string, Uint8Array>).get('signature.sig')!)
      },
      null,
    )
    expect(await judged(mixed)).toEqual(['failed', 'signature failed AL-205'])
  })
  test('another version in the manifest, with the old signature', async () => {
    const renamed = await forged(small, (_, manifest) => void Object.assign(manifest, { version: '9.0.0' }), null)
    expect(await judged(renamed)).toEqual(['failed', 'signature failed AL-205'])
  })
  test('another key, which signs the manifest that names it', async () => {
    const stolen = await sealed({ key: other })
    expect(await judged(stolen)).toEqual(['failed', 'signer failed AL-207'])
    expect(outcome(await verifyContainer(stolen))).toEqual([
      'unverifiable',
      'signer unknown AL-206',
      'decryption skipped',
    ])
  })
  test('another key, which the manifest does not name', async () => {
    expect(await judged(await forged(small, () => {}, other))).toEqual(['failed', 'signature failed AL-205'])
  })
  test('two prompts exchanged by someone with the key, but without the secret', async () => {
    const swapped = await forged(small, async (files, manifest) => {
      const [a, b] = PROMPTS.map((path) => files.get(`${path}.enc`)!)
      files.set(`${PROMPTS[0]}.enc`, b!)
      files.set(`${PROMPTS[1]}.enc`, a!)
      await listAgain(files, manifest)
    })
    expect(await judged(swapped)).toEqual(['failed', 'decryption failed AL-211'])
  })
  test('the prompt of another version', async () => {
    const next = readArchive(await sealed({ version: '1.0.1' })) as ReadonlyMap<string, Uint8Array>
    const mixed = await forged(small, async (files, manifest) => {
      files.set('prompt.yaml.enc', next.get('prompt.yaml.enc')!)
      await listAgain(files, manifest)
    })
    expect(await judged(mixed)).toEqual(['failed', 'decryption failed AL-211'])
  })
  test('the lock of another build', async () => {
    const changed = { ...FILES, 'agent.yaml': 'name: coach\nversion: 1.0.0\ndeveloper: evil\n' }
    expect(await judged(await sealed({ lock: await lockOf(changed) }))).toEqual(['failed', 'lock failed AL-210'])
    const prompt = { ...FILES, 'prompt.yaml': 'version: 2\n' }
    expect(await judged(await sealed({ lock: await lockOf(prompt) }))).toEqual(['failed', 'decryption failed AL-211'])
    const { 'context/ä.md': _, ...fewer } = FILES
    expect(await judged(await sealed({ lock: await lockOf(fewer) }))).toEqual(['failed', 'lock failed AL-210'])
    const more = { ...FILES, more: '' }
    expect(await judged(await sealed({ lock: await lockOf(more) }))).toEqual(['failed', 'lock failed AL-210'])
    for (const lock of ['{', 'files: []', '', 'a: &a [1]\nb: *a\nfiles: {__proto__: x}'])
      expect(await judged(await sealed({ lock: bytes(lock) })), lock).toEqual(['failed', 'lock failed AL-210'])
  })
  test.each([
    ['developer', 'name: coach\nversion: 1.0.0\ndeveloper: mallory\n'],
    ['name', 'name: coach2\nversion: 1.0.0\ndeveloper: acme\n'],
    ['version', 'name: coach\nversion: 1.0.1\ndeveloper: acme\n'],
    ['a version that is a number', 'name: coach\nversion: 1.0\ndeveloper: acme\n'],
    ['no developer', 'name: coach\nversion: 1.0.0\n'],
    ['another case', 'name: coach\nversion: 1.0.0\ndeveloper: ACME\n'],
    ['no object', '[]\n'],
    ['no YAML', 'name: [\n'],
  ])('a manifest that names another agent than agent.yaml: %s', async (_, agent) => {
    const container = await sealed({}, { ...FILES, 'agent.yaml': agent })
    expect(await judged(container)).toEqual(['failed', 'agent failed AL-218'])
    expect((await openContainer(container)).files).toBeUndefined()
    expect(await unpackContainer(container, { keys: [key.publicKey], secret: SECRET })).toBeUndefined()
    const [proof] = [
      await verify(open(container, { file: 'x.agent' }).document!, { expect: { keys: [key.publicKey] } }),
    ]
    expect(proof.verdict).toBe('failed')
  })
  test('a container without agent.yaml', async () => {
    const { 'agent.yaml': _, ...others } = FILES
    expect(await judged(await sealed({}, others))).toEqual(['failed', 'agent failed AL-218'])
  })
  describe('a lockfile that does not fit agent.yaml', () => {
    const agent =
      'name: coach\nversion: 1.0.0\ndeveloper: acme\ntools: [{name: sqlite}, {name: search, version: ^1.2.0}]\nmodels: {m: {}}\n' +
      'delegate: {mode: static, agents: [{path: ./helper.yaml}]}\n'
    const files = { ...FILES, 'agent.yaml': agent, 'helper.yaml': 'name: helper\nversion: 2.0.0\n' }
    const HASH = `sha256:${'0'.repeat(64)}`
    const search = (version: string) => `tools: {search: {version: ${version}, hash: '${HASH}'}}\n`
    const withLock = async (extra: string, hash?: string) => {
      const digest = await sha256(bytes(files['helper.yaml']))
      // The hash of a sub-agent is that of the canonical JSON of its files.
      const own = hash ?? `sha256:${await sha256(bytes(`{"helper.yaml":"sha256:${digest}"}`))}`
      const lock = `${text(await lockOf(files))}${extra.replace('OWN', own)}`
      return judged(await sealed({ lock: bytes(lock) }, files))
    }
    const [models, agents] = ['models: {m: {}}\n', "agents: {helper: {version: 2.0.0, hash: 'OWN'}}\n"]
    test('is refused, and one that fits is not', async () => {
      expect(await withLock(search('1.3.0') + models + agents)).toEqual(['verified'])
      for (const extra of [
        models + agents,
        search('1.1.0') + models + agents,
        search('2.0.0') + models + agents,
        search('x') + models + agents,
        `${search('1.3.0').slice(0, -2)}, other: {version: 1.0.0, hash: '${HASH}'}}\n${models}${agents}`,
        search('1.3.0') + agents,
        `${search('1.3.0')}models: {m: {}, n: {}}\n${agents}`,
        search('1.3.0') + models,
        `${search('1.3.0')}${models}agents: {helper: {version: 2.0.1, hash: 'OWN'}}\n`,
        `${search('1.3.0')}${models}agents: {helper: {version: 2.0.0, hash: 'OWN'}, more: {hash: 'OWN'}}\n`,
      ])
        expect(await withLock(extra), extra).toEqual(['failed', 'lock failed AL-210'])
      expect(await withLock(search('1.3.0') + models + agents, HASH)).toEqual(['failed', 'lock failed AL-210'])
    })
  })
  test('another agent, and an older version than one that was seen', async () => {
    expect(await judged(small, { agent: 'coach@1.0.1' })).toEqual(['failed', 'agent failed AL-208'])
    expect(await judged(small, { seen: ['coach@1.0.0', 'coach@1.0.0-rc.1', 'x@9.0.0'] })).toEqual(['verified'])
    expect(await judged(small, { seen: ['coach@1.0.1-rc.1'] })).toEqual(['failed', 'agent failed AL-212'])
  })
  test('another secret is not the fault of the container', async () => {
    const secret = new Uint8Array(32)
    expect(await judged(small, { secret })).toEqual(['unverifiable', 'decryption unknown AL-213'])
    await expect(judged(small, { secret: 'agentlang-key-1x' })).rejects.toThrow(RangeError)
  })
  test.each<[string, (files: Map<string, Uint8Array>, manifest: Manifest) => void, string]>([
    ['a file that the manifest does not list', (files) => void files.set('extra', bytes('x')), 'AL-201'],
    ['a file that is missing', (files) => void files.delete('context/ä.md'), 'AL-201'],
    ['a file twice in the list', (_, m) => void m.files.push(m.files.at(-1)!), 'AL-201'],
    ['another size', (_, m) => void Object.assign(m.files[0]!, { size: 1 }), 'AL-201'],
    ['a lock that nobody names', (_, m) => void delete m['lock_sha256'], 'AL-201'],
    ['a prompt in plain text', (_, m) => void delete m.files[2]!['encrypted'], 'AL-202'],
    [
      'an encrypted definition',
      (_, m) => void Object.assign(m.files[1]!, { encrypted: m.files[2]!['encrypted'] }),
      'AL-202',
    ],
    ['an unknown member', (_, m) => void Object.assign(m, { id: 'agent:acme.example' }), 'AL-199'],
    ['another format', (_, m) => void Object.assign(m, { format: 'agentlang-container/2' }), 'AL-198'],
    ['a name that is a path', (_, m) => void Object.assign(m, { name: '../coach' }), 'AL-197'],
    ['no name', (_, m) => void delete m['name'], 'AL-195'],
    ['files that are text', (_, m) => void Object.assign(m, { files: 'all' }), 'AL-196'],
    ['the id of another key', (_, m) => void Object.assign(m.signer, { key_id: '00000000' }), 'AL-203'],
    ['a key for which anyone can sign', (_, m) => void Object.assign(m.signer, { public_key: WEAK }), 'AL-203'],
    ['a requirement of a later format', (_, m) => void Object.assign(m, { requires: ['recipients'] }), 'AL-199'],
  ])('%s', async (_, change, code) => {
    const container = await forged(small, change, key)
    const { steps, verdict } = await verifyContainer(container, { keys: [key.publicKey] })
    expect(verdict).toBe('failed')
    expect(steps.map(({ diagnostic }) => diagnostic?.code)).toContain(code)
    const report = validate(container, { file: 'x.agent' })
    expect(report.valid).toBe(false)
    expect(report.diagnostics.map((found) => found.code)).toContain(code)
  })
  test('a manifest that is not canonical, not an object, or not there', async () => {
    const files = readArchive(small) as ReadonlyMap<string, Uint8Array>
    const withManifest = (manifest: string) => writeArchive(new Map([...files, ['manifest.json', bytes(manifest)]]))
    expect(await judged(withManifest(`${text(files.get('manifest.json'))} `))).toEqual([
      'failed',
      'document failed AL-200',
    ])
    expect(await judged(withManifest('[]'))).toEqual(['failed', 'document failed AL-194'])
    expect((await judged(withManifest('{'))).length).toBe(2)
    expect(await judged(writeArchive(new Map()))).toEqual(['failed', 'document failed AL-201'])
  })
  test('a signature of another length', async () => {
    const cut = await forged(small, (files) => void files.set('signature.sig', new Uint8Array(63)), null)
    expect(await judged(cut)).toEqual(['failed', 'document failed AL-201'])
  })
  test.each([
    ['a million files', `{"files":[${Array(1_000_000).fill('{}').join()}]}`],
    ['a path of two million names', `{"files":[{"path":"${'a/'.repeat(1_900_000)}"}]}`],
    ['two million levels', '['.repeat(2_000_000)],
    ['more than four million bytes', ' '.repeat((4 << 20) + 1)],
  ])('a manifest with %s is refused in bounded time', async (_, manifest) => {
    const start = processorTime()
    expect((await judged(writeArchive(new Map([['manifest.json', bytes(manifest)]]))))[0]).toBe('failed')
    expect(processorTime() - start).toBeLessThan(20_000)
  })
  test('a manifest without its archive', () => {
    const { document } = open(text((readArchive(small) as ReadonlyMap<string, Uint8Array>).get('manifest.json')))
    const { valid, diagnostics } = validate(document!, { as: 'container' })
    expect([valid, ...diagnostics.map(({ code }) => code)]).toEqual([false, 'AL-201'])
  })
})

/** The point of order 1 (RFC 8032): its SPKI. */
const WEAK = Buffer.from(`302a300506032b6570032100${'01'.padEnd(64, '0')}`, 'hex').toString('base64')

describe('sealing refuses', () => {
  test('what it makes itself, what collides, and what a manifest may not have', async () => {
    await expect(sealed({}, { 'manifest.json': '' })).rejects.toThrow(RangeError)
    await expect(sealed({}, { 'prompt.yaml.enc': '' })).rejects.toThrow(RangeError)
    await expect(sealed({}, { 'a/PROMPT.yaml': '', 'a/prompt.yaml': '' })).rejects.toThrow(/collides/)
    await expect(sealed({ version: '1' })).rejects.toThrow(/^version:/)
    await expect(sealed({ secret: undefined as never })).rejects.toThrow(TypeError)
    await expect(sealed({ key: await generateKey('ES256') })).rejects.toThrow()
  })
})
