import { resolve } from 'node:path'
import { publicKeyMember } from '../../bindings/adl/signature/keys.ts'
import { agentIdOf } from '../../bindings/card/agent-uri.ts'
import { exportKey, fingerprint } from '../../bindings/keys/export.ts'
import { generateKey } from '../../bindings/keys/generate.ts'
import { NAMES as ALGORITHMS, type Algorithm, type Key } from '../../bindings/keys/key.ts'
import { answer, compact, defineCommand, UsageError } from '../command.ts'
import type { Host } from '../host.ts'
import { PRIVATE_FILE } from '../keys.ts'
import { alreadyThere, save } from '../save.ts'

export const command = defineCommand({
  options: {
    algorithm: { value: 'ALGORITHM', choices: ALGORITHMS, about: 'the algorithm (default Ed25519)' },
    out: { value: 'FILE', about: 'write the private key to this file' },
    public: { value: 'FILE', about: 'write the public key to this file' },
    jwk: { about: 'write JSON Web Keys' },
  },
  operands: [],
  async run({ options, host, print }) {
    const { algorithm = 'Ed25519', out: secretFile, public: publicFile } = options
    if (publicFile !== undefined) refuseTaken(publicFile, secretFile, host)
    const key = await generateKey(algorithm)
    const write = (half: Key) => (options.jwk ? jwkText(half, algorithm) : exportKey(half, 'pem'))
    const [secret, open] = [await write(key), await write(key.publicKey)]
    const notes: string[] = []
    if (secretFile === undefined) print(secret)
    else {
      await save(host, secretFile, secret, PRIVATE_FILE)
      notes.push(`wrote the private key to ${secretFile}; only you can read it`)
    }
    if (publicFile !== undefined) {
      await save(host, publicFile, open, { create: true }).catch((error: unknown) => {
        if (!(error instanceof UsageError) || secretFile === undefined) throw error
        throw new UsageError(error.code, error.message, `${error.hint}; the private key is in ${secretFile}`)
      })
      notes.push(`wrote the public key to ${publicFile}`)
    } else if (secretFile !== undefined) print(open)
    const thumbprint = await fingerprint(key)
    notes.push(`thumbprint (RFC 7638): ${thumbprint}`)
    const agentId = algorithm === 'Ed25519' ? await agentIdOf(key) : undefined
    if (agentId !== undefined) notes.push(`agent id, for Agent Cards: ${agentId}`)
    const made = {
      algorithm,
      fingerprint: thumbprint,
      // As cryptographic_identity.public_key of ADL has it.
      publicKey: await publicKeyMember(key, algorithm),
      ...compact({ agentId }),
      ...(secretFile === undefined && { privateKey: secret }),
    }
    return { results: [answer({ key: made })], notes }
  },
})

/** Checks the file of the public key before the private one is on disk. */
function refuseTaken(file: string, secretFile: string | undefined, { cwd, stamp }: Host): void {
  const path = resolve(cwd, file)
  if (stamp(path) !== undefined) throw alreadyThere(file)
  if (secretFile === undefined || resolve(cwd, secretFile) !== path) return
  throw new UsageError('wrong-arguments', '--out and --public name the same file', 'name two files')
}

const jwkText = async (key: Key, algorithm: Algorithm): Promise<string> =>
  `${JSON.stringify({ ...(await exportKey(key, 'jwk')), alg: algorithm }, null, 2)}\n`
