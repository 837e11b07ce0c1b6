/**
 * Keys, signatures and fingerprints, with the same verdict on every platform.
 * @module
 */
export type { Algorithm, KeyKind } from './algorithms.ts'
export { decodeBase64, decodeBase64url, encodeBase64, encodeBase64url } from './base64.ts'
export { type DidKey, didWebUrl, keyOfDid, keysOfDidDocument } from './did.ts'
export { KeyError } from './error.ts'
export { type ExportFormat, exportKey } from './export.ts'
export type { Code as KeyErrorCode } from './findings.ts'
export { type FingerprintOptions, fingerprint } from './fingerprint.ts'
export { type GenerateOptions, generateKey, type PrivateKey } from './generate.ts'
export type { HttpMessage } from './http/components.ts'
export { contentDigest } from './http/digest.ts'
export { type MessageSignature, type SignMessageOptions, signMessage } from './http/sign.ts'
export { type RefusedMessage, type VerifiedMessage, type VerifyMessageOptions, verifyMessage } from './http/verify.ts'
export { type ImportOptions, importKey } from './import.ts'
export { Key } from './key.ts'
export { type Signing, signBytes } from './sign.ts'
export { openSigner, type Signer, type SignerOptions } from './signer.ts'
export { openVerifier, type Verifier, type VerifierOptions } from './verifier.ts'
export { type Verification, verifyBytes } from './verify.ts'
