/**
 * Keys, signatures and fingerprints, with the same verdict on every platform.
 * @module
 */

export { decodeBase64, decodeBase64url, encodeBase64, encodeBase64url, KeyError } from './base64.ts'
export { type DidKey, didWebUrl, keyOfDid, keysOfDidDocument } from './did.ts'
export { type ExportFormat, exportKey, type FingerprintOptions, fingerprint } from './export.ts'
export type { Code as KeyErrorCode } from './findings.ts'
export { type GenerateOptions, generateKey, type PrivateKey } from './generate.ts'
export type { HttpMessage } from './http/sign.ts'
export { type MessageSignature, type SignMessageOptions, signMessage } from './http/sign.ts'
export {
  contentDigest,
  type RefusedMessage,
  type VerifiedMessage,
  type VerifyMessageOptions,
  verifyMessage,
} from './http/verify.ts'
export { type ImportOptions, importKey } from './import.ts'
export type { Algorithm, KeyKind } from './key.ts'
export { Key } from './key.ts'
export { openSigner, type Signer, type SignerOptions, type Signing, signBytes } from './sign.ts'
export { openVerifier, type Verification, type Verifier, type VerifierOptions, verifyBytes } from './verify.ts'
