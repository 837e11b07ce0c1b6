// Certificates of @peculiar/x509, valid or broken in one way, read and verified by us, Node and OpenSSL, which must agree:
// node test/soak/certificates.mjs [certificates, 1000] [seed, from the clock]
import { importBundled } from '../support/bundle.mjs'

const [count = '1000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { compareCertificates } = await importBundled(
  'soak-certificates',
  `export * from './test/runs/made-certificates.ts'`,
)

console.log(`seed ${seed}`)
const flaws = await compareCertificates(Number(count), Number(seed), (made) => {
  if (made % 100 === 0) console.log(`${made} certificates`)
})
for (const flaw of flaws) console.error(flaw)
process.exitCode = flaws.length === 0 ? 0 : 1
