// Tests which signatures can be made and verified here.

import { KeyError } from '../../bindings/keys/base64.ts'
import { generateKey } from '../../bindings/keys/generate.ts'
import { ALGORITHMS, type Algorithm, NAMES } from '../../bindings/keys/key.ts'
import { signBytes } from '../../bindings/keys/sign.ts'
import { verifyBytes } from '../../bindings/keys/verify.ts'
import type { Check } from './check.ts'

const MESSAGE = new TextEncoder().encode('blazon doctor')
const HINT = 'a newer Node, or one with a complete OpenSSL, has it'

export function checkSignatures(): Promise<readonly Check[]> {
  return Promise.all(NAMES.map(checkAlgorithm))
}

async function checkAlgorithm(algorithm: Algorithm): Promise<Check> {
  const row = { name: `signature-${algorithm}`, title: algorithm }
  try {
    const key = await generateKey(algorithm, ALGORITHMS[algorithm].kind === 'RSA' ? { modulusLength: 2048 } : {})
    const signature = await signBytes({ algorithm, privateKey: key, message: MESSAGE })
    const isValid = await verifyBytes({ algorithm, publicKey: key.publicKey, message: MESSAGE, signature })
    const isForged = await verifyBytes({ algorithm, publicKey: key.publicKey, message: MESSAGE.slice(1), signature })
    if (isValid && !isForged) return { ...row, outcome: 'ok', detail: 'makes keys, signs and verifies' }
    return { ...row, outcome: 'problem', detail: 'a new signature gets the wrong verdict', hint: HINT }
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    return { ...row, outcome: 'limited', detail: `${error.message} (${error.code})`, hint: HINT }
  }
}
