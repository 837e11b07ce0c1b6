// Containers of agents with 200 files, 5 MB: built and verified. Digests and signatures are those of Web Crypto on both
// sides. Its work is done in other threads, so processor time is compared. Then the memory and the code that it takes.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { sealContainer, verifyContainer } from 'blazon/agentlang'
import { generateKey, openSigner } from 'blazon/keys'
import { addedBytes, bundledBytes } from '../../scripts/bundles.mjs'
import { random } from './documents.mjs'
import { median } from './harness.mjs'

export const title = 'Containers'

export const notes = [
  'Memory: the peak of a process that reads the file and opens it, above that of bare Node, as a multiple of the file.',
  'verifyContainer: without what it loads on demand, the readers of YAML.',
]

const [FILES, BYTES, ROUNDS] = [200, 25_000, 41]
const LARGEST = '.scratch/largest.agent'
const OPENING = `
  import { readFileSync } from 'node:fs'
  if (process.argv[1] !== undefined) {
    const { openContainer } = await import('blazon/agentlang')
    const { files } = await openContainer(readFileSync(process.argv[1]))
    if (files === undefined) throw new Error('the container is not opened')
  }
  console.log(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
`

const AGENT = 'name: coach\nversion: 1.0.0\ndeveloper: acme\n'

export async function cases({ peer }) {
  const { zipSync } = await peer('fflate')
  const next = random(200)
  const content = () => Uint8Array.from({ length: BYTES }, () => next() * 256)
  const files = new Map(Array.from({ length: FILES }, (_, i) => [`context/${i + 100}.txt`, content()]))
  files.set('agent.yaml', new TextEncoder().encode(AGENT))
  const key = await generateKey('Ed25519')
  const signer = await openSigner(key)
  const build = () => sealContainer({ name: 'coach', version: '1.0.0', developer: 'acme', files, key })
  const digests = () => Promise.all(Array.from(files.values(), (bytes) => crypto.subtle.digest('SHA-256', bytes)))
  const zipped = async () => {
    const all = await digests()
    const listed = [...files.keys()].map((path, i) => ({
      path,
      sha256: Buffer.from(all[i]).toString('hex'),
      size: BYTES,
    }))
    const manifest = new TextEncoder().encode(JSON.stringify({ files: listed }))
    const entries = {
      'manifest.json': manifest,
      ...Object.fromEntries(files),
      'signature.sig': await signer.sign(manifest),
    }
    return zipSync(entries, { level: 0, mtime: '1980-01-01T00:00:00' })
  }
  const container = await build()
  const verify = () => verifyContainer(container, { keys: [key.publicKey] })
  if ((await verify()).verdict !== 'verified') throw new Error('the container is not verified')
  return [
    {
      name: 'digests, signature and archive of 200 files, 5 MB, as a share of the time with fflate, level 0',
      unit: ' %',
      atMost: 71,
      aim: 56,
      measure: async () => 100 * (await ratioOf(build, zipped)),
    },
    {
      name: 'form, signature and digests of it, against SHA-256 alone',
      unit: 'x',
      atMost: 3,
      aim: 2.5,
      measure: () => ratioOf(verify, digests),
    },
    {
      name: 'peak memory above bare node, opening 64 MiB',
      unit: 'x',
      atMost: 3,
      aim: 2,
      measure: () => memoryOfOpening(key),
    },
    {
      name: 'verifyContainer alone, bundled',
      unit: ' KB',
      atMost: 150,
      aim: 120,
      measure: async () => (await bundledBytes('verifyContainer', './dist/agentlang.js')) / 1000,
    },
    {
      name: 'what validate of all kinds grows by with AgentLang',
      unit: ' KB',
      atMost: 60,
      aim: 45,
      async measure() {
        const added = [...(await addedBytes())].filter(([folder]) => folder.startsWith('agentlang'))
        return added.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000
      },
    },
  ]
}

async function memoryOfOpening(key) {
  const files = new Map(Array.from({ length: 64 }, (_, i) => [`context/${i}.bin`, new Uint8Array(1_048_000).fill(i)]))
  files.set('agent.yaml', new TextEncoder().encode(AGENT))
  const container = await sealContainer({ name: 'coach', version: '1.0.0', developer: 'acme', files, key })
  writeFileSync(LARGEST, container)
  const peak = (...args) =>
    1024 * execFileSync(process.execPath, ['--input-type=module', '-e', OPENING, ...args], { encoding: 'utf8' })
  return (peak(LARGEST) - peak()) / container.length
}

/** The processor time of one job as a multiple of the other's, alternating. */
async function ratioOf(ours, theirs) {
  const jobs = [ours, theirs]
  const times = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const before = process.cpuUsage()
      await jobs[i]()
      const { user, system } = process.cpuUsage(before)
      times[i].push(user + system)
    }
  }
  return median(times[0]) / median(times[1])
}
