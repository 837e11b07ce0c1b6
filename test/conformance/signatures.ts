// What cases call of blazon/keys, and of sign and verify. Their outcomes are promises.
import type { Api } from './body.ts'
import { type Content, contentBytes, type Vector } from './content.ts'

type Runner = (api: Api, vector: Vector) => Promise<unknown>

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const bytes = (text: unknown) => contentBytes({ hex: text as string })

/** A key: JWK, text, or bytes in hex. */
const keyOf = (api: Api, { key, format }: Vector) => {
  const source = typeof key === 'object' && key !== null && 'hex' in key ? bytes(key.hex) : key
  return api['importKey'](source, format === undefined ? {} : { format })
}

/** An unusable key is an outcome of its own. */
async function orCode(api: Api, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof api['KeyError']) return { error: (error as { code?: string }).code }
    throw error
  }
}

export const SIGNATURE_RUNNERS: Readonly<Record<string, Runner>> = {
  verifyBytes: (api, vector) =>
    orCode(api, async () => {
      const { algorithm, message, signature } = vector
      const publicKey = await keyOf(api, vector)
      const input = { algorithm, publicKey, message: bytes(message), signature: bytes(signature) }
      return { valid: await api['verifyBytes'](input) }
    }),
  signBytes: (api, vector) =>
    orCode(api, async () => {
      const privateKey = await keyOf(api, vector)
      const { algorithm, message } = vector
      return { signature: hex(await api['signBytes']({ algorithm, privateKey, message: bytes(message) })) }
    }),
  fingerprint: (api, vector) =>
    orCode(api, async () => ({ sha256: await api['fingerprint'](await keyOf(api, vector), { of: vector['of'] }) })),
  exportKey: (api, vector) =>
    orCode(api, async () => ({ der: hex(await api['exportKey'](await keyOf(api, vector), vector['to'])) })),
  async verifyDefinition(api, vector) {
    const keys = vector['keys'] as unknown[] | undefined
    const expect = keys === undefined ? {} : { keys }
    const now = new Date('2026-02-18T00:00:00Z')
    const { verdict, steps } = await api['verify'](contentBytes(vector as Content), { now, expect })
    const told = steps.flatMap(({ diagnostic }: { diagnostic?: { code: string } }) => diagnostic?.code ?? [])
    return { verdict, told }
  },
  async signDefinition(api, vector) {
    const { bytes: signed } = await api['sign'](contentBytes(vector as Content), await keyOf(api, vector), {
      force: true,
    })
    return { text: new TextDecoder().decode(signed) }
  },
}
