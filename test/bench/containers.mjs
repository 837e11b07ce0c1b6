// Containers of agents with 200 files, 5 MB: built and verified. Digests and signatures are those of Web Crypto on both
// sides. Its work is done in other threads, so processor time is compared.
import { sealContainer, verifyContainer } from 'blazon/agentlang'
import { generateKey, openSigner } from 'blazon/keys'
import { random } from './documents.mjs'
import { median } from './harness.mjs'

export const title = 'Containers'

const [FILES, BYTES, ROUNDS] = [200, 25_000, 41]

export async function cases({ peer }) {
  const { zipSync } = await peer('fflate')
  const next = random(200)
  const content = () => Uint8Array.from({ length: BYTES }, () => next() * 256)
  const files = new Map(Array.from({ length: FILES }, (_, i) => [`context/${i + 100}.txt`, content()]))
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
  ]
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
