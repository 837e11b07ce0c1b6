// The DNS of agents: reading answers, checking signatures, and whole discoveries on this machine, against others and against what
// nobody can leave out. The zones are those of Debian's bind9; without it there is nothing to measure.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { build } from 'esbuild'
import { pure } from '../../scripts/bundler.mjs'
import { importBundled } from '../support/bundle.mjs'
import { median } from './harness.mjs'

export const title = 'DNS and discovery'

export const notes = [
  'Its own rooms: bindings/discover and bindings/net. What checks signatures, fetches, reads an invitation or a descriptor is' +
    ' loaded when the first questions are on their way, and not counted.',
  'The peer is bundled as esbuild does for Node. From its ES modules it has 147 KB, and ours would be 12 % of that.',
  'Bare requests: the same questions in the same two rounds, and one GET over a new connection of TLS 1.3.',
]

/** Of 61 the median moved by a seventh from run to run. Not beyond what one chain verifies at most: 200. */
const ROUNDS = 151
const PROCESSES = 15
const ALICE = 'alice.example.test'
const LAB = `
  export { Chain } from './bindings/discover/dns/dnssec/chain.ts'
  export { readDnsKey } from './bindings/discover/dns/dnssec/rdata.ts'
  export { rrsetOf } from './bindings/discover/dns/rrset.ts'
  export { signedBytes } from './bindings/discover/dns/dnssec/keys.ts'
  export { decodeMessage, encodeQuestion } from './bindings/discover/dns/message.ts'
  export { readStrings } from './bindings/discover/dns/message.ts'
  export { TYPES } from './bindings/discover/dns/message.ts'
  export { bind, startDoh } from './test/support/dns-lab.ts'
  export { dohResolver } from './bindings/discover/dns/lookup.ts'
  export { discover } from './bindings/discover/trust/discover.ts'
  export { toHex } from './bindings/text/bytes.ts'
  export { KEY, metadata, PUBLIC, send, signed, startWorld } from './test/discover/trust/lab.ts'
`

export async function* cases({ peer }) {
  const lab = await importBundled('bench-dns', LAB)
  if (!lab.bind.available) throw new Error(`the DNS is measured with bind9: ${lab.bind.reason}`)
  const world = await lab.startWorld({
    names: [ALICE],
    zones: ({ port, spki }) => [
      lab.signed('.', ''),
      lab.signed('test', ''),
      lab.signed(
        'example.test',
        [
          `alice A ${lab.PUBLIC}\nalice SVCB 1 . alpn="a2a,h2" port=${port} key65402="a2a"`,
          `_agent.alice TXT "v=ADP1.1; pk=${lab.KEY.fingerprint}; wk=https://${ALICE}:${port}/.well-known/agent.json"`,
          `_${port}._tcp.alice TLSA 3 1 1 ${spki}`,
        ].join('\n'),
      ),
    ],
    answer: (_, response, { port }) =>
      lab.send(response, lab.metadata({ domain: ALICE, wellKnown: `https://${ALICE}:${port}/.well-known/agent.json` })),
  })
  const doh = await lab.startDoh(world.dns.port)
  try {
    yield decoding(lab, world, peer)
    yield checking(lab, world)
    yield checkSize()
    yield discoverSize()
    yield discovering(lab, world, doh.url)
    yield replaying(lab, world)
  } finally {
    await doh.close()
    await world.close()
  }
}

const ask = (lab, world, name, type) => world.options.resolver(lab.encodeQuestion({ name, type }))

async function decoding(lab, world, peer) {
  const { default: packet } = await peer('dns-packet', 'dns')
  const bytes = await ask(lab, world, `_agent.${ALICE}`, lab.TYPES.TXT)
  const buffer = Buffer.from(bytes)
  return {
    name: `an answer of ${bytes.length} bytes to records`,
    floor: 1,
    aim: 2,
    ours: () => lab.decodeMessage(bytes),
    peers: { 'dns-packet': () => packet.decode(buffer) },
    check() {
      const [ours, theirs] = [lab.decodeMessage(bytes), packet.decode(buffer)]
      const own = ours.answers.map(({ name, ttl }) => `${name} ${ttl}`)
      const other = theirs.answers.map(({ name, ttl }) => `${name} ${ttl}`)
      const text = Buffer.concat(lab.readStrings(ours.answers[0].rdata)).toString()
      const same = own.join() === other.join() && text === Buffer.concat(theirs.answers[0].data).toString()
      if (!same) throw new Error('the records differ')
    },
  }
}

/** One set of records by the key of its zone, which is known: with each judge the bytes that are signed are put together. */
async function checking(lab, world) {
  const { Chain, rrsetOf, signedBytes, decodeMessage, TYPES } = lab
  const options = { anchors: world.dns.anchors, now: new Date() }
  const set = rrsetOf(decodeMessage(await ask(lab, world, ALICE, TYPES.SVCB)).answers, ALICE, TYPES.SVCB)
  const keys = decodeMessage(await ask(lab, world, 'example.test', TYPES.DNSKEY))
  const [signature] = set.signatures
  const [rdata] = keys.answers.filter(({ type }) => type === TYPES.DNSKEY).map((record) => record.rdata)
  const point = Buffer.concat([Buffer.of(4), lab.readDnsKey(rdata).key])
  const use = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', point, use, false, ['verify'])
  const bytes = signedBytes(set, signature)
  const chain = new Chain(async ({ name, type }) => decodeMessage(await ask(lab, world, name, type)), options)
  return {
    name: 'a set of records with its signature, times the time of Web Crypto',
    unit: 'x',
    atMost: 2,
    aim: 1.3,
    measure: () =>
      byTurns(
        async () => (await chain.judge(set)).checked,
        () => crypto.subtle.verify(use, key, signature.signature, bytes),
      ),
  }
}

async function byTurns(...contestants) {
  const times = contestants.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, work] of contestants.entries()) {
      const start = performance.now()
      if (!(await work())) throw new Error('the answers differ')
      times[i].push(performance.now() - start)
    }
  }
  return median(times[0]) / median(times[1])
}

/** What is loaded at the start, minified: the bytes of each module. */
async function sizesOf(contents, folder = '.') {
  const { metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts', sourcefile: 'bundle.ts' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    alias: { '#wasm': './dist/wasm/module.inline.js' },
    external: ['node:*'],
    outdir: 'bundle',
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [pure],
  })
  const { outputs } = metafile
  const loaded = new Set(Object.keys(outputs).filter((path) => outputs[path].entryPoint?.endsWith('bundle.ts')))
  for (const path of loaded)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) loaded.add(next)
  return [...loaded].flatMap((path) => Object.entries(outputs[path].inputs))
}

const bytesOf = (sizes) => sizes.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)

const checkSize = () => ({
  name: 'the check of DNSSEC minified, of @relaycorp/dnssec bundled',
  unit: ' %',
  atMost: 5,
  aim: 2.5,
  async measure() {
    const ours = await sizesOf("export { Chain } from './bindings/discover/dns/dnssec/chain.ts'")
    const theirs = await sizesOf("export { dnssecLookUp } from '@relaycorp/dnssec'", '.scratch/dns-peers')
    return (100 * bytesOf(ours)) / bytesOf(theirs)
  },
})

const OWN = /(?:^|\/)bindings\/(?:discover|net)\//
const discoverSize = () => ({
  name: 'discover minified, its own rooms at the start',
  unit: ' KB',
  atMost: 45,
  aim: 32,
  async measure() {
    const sizes = await sizesOf("export { discover } from './bindings/discover/trust/discover.ts'")
    return bytesOf(sizes.filter(([path]) => OWN.test(path))) / 1000
  },
})

async function discovering(lab, world, doh) {
  const options = { ...world.options, resolver: lab.dohResolver(doh) }
  const { trace, proof } = await lab.discover(ALICE, options)
  if (proof.highest !== 'key-verified') throw new Error('the agent is not key-verified')
  const questions = trace.steps.filter(({ kind }) => kind === 'dns')
  const { url } = trace.steps.find(({ kind }) => kind === 'http')
  const first = questions.filter(({ type }) => [lab.TYPES.SVCB, lab.TYPES.TXT, lab.TYPES.SRV].includes(type))
  const rounds = [first, questions.filter((question) => !first.includes(question))]
  const bare = async () => {
    for (const round of rounds) {
      await Promise.all(
        round.map(async (question) => {
          const wire = Buffer.from(lab.encodeQuestion(question)).toString('base64url')
          const answer = await fetch(`${doh}?dns=${wire}`, { headers: { accept: 'application/dns-message' } })
          return answer.arrayBuffer()
        }),
      )
    }
    return (await got(url, world)) > 0
  }
  return {
    name: 'discover to key-verified, warm, times the time of its bare requests',
    unit: 'x',
    atMost: 2,
    aim: 1.3,
    measure: () => byTurns(async () => (await lab.discover(ALICE, options)).proof.highest === 'key-verified', bare),
  }
}

/** The bytes of a GET over a connection of its own. */
function got(url, world) {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', servername: hostname, port, path: pathname, headers: { host: hostname } },
        ...{ agent: false, minVersion: 'TLSv1.3', ca: world.authority },
      },
      async (response) => {
        let length = 0
        for await (const chunk of response) length += chunk.length
        resolve(length)
      },
    )
    asked.once('error', reject)
    asked.end()
  })
}

async function replaying(lab, world) {
  const { trace } = await lab.discover(ALICE, world.options)
  const [{ keyTag, algorithm, digestType, digest }] = world.dns.anchors['.']
  const folder = '.scratch/bench-files/trace'
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/alice.trace.json`, JSON.stringify(trace))
  writeFileSync(
    `${folder}/anchors`,
    `. IN DS ${keyTag} ${algorithm} ${digestType} ${lab.toHex(digest).toUpperCase()}\n`,
  )
  const replay = [
    'dist/cli/blazon.js',
    'discover',
    '--replay',
    `${folder}/alice.trace.json`,
    '--anchors',
    `${folder}/anchors`,
  ]
  return {
    name: 'blazon discover --replay, cold, against bare node',
    unit: 'x',
    atMost: 2,
    aim: 1.7,
    async measure() {
      if (!node(replay).includes('key-verified (checked)')) throw new Error('the replay says something else')
      const times = { bare: [], blazon: [] }
      for (let i = 0; i < PROCESSES; i++) {
        times.bare.push(elapsed(['-e', '0']))
        times.blazon.push(elapsed(replay))
      }
      return median(times.blazon) / median(times.bare)
    },
  }
}

function elapsed(args) {
  const start = performance.now()
  node(args)
  return performance.now() - start
}

function node(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
