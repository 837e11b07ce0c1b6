/**
 * Keys, signatures and fingerprints, with the same verdict on every platform.
 * @module
 */

export { decodeBase64, decodeBase64url, encodeBase64, encodeBase64url, KeyError } from './base64.ts'
export { type DidKey, didWebUrl, keyOfDid, keysOfDidDocument } from './did.ts'
export { exportKey, fingerprint } from './export.ts'
export type { Code as KeyErrorCode } from './findings.ts'
export { generateKey, type PrivateKey } from './generate.ts'
export { type HttpMessage, signMessage } from './http/sign.ts'
export { contentDigest, verifyMessage } from './http/verify.ts'
export { importKey } from './import.ts'
export { type Algorithm, Key } from './key.ts'
export { openSigner, type Signer, signBytes } from './sign.ts'
export { openVerifier, type Verifier, verifyBytes } from './verify.ts'
