// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'KEY-101' | 'KEY-102' | 'KEY-103' | 'KEY-104' | 'KEY-105' | 'KEY-106' | 'KEY-107' | 'KEY-108' | 'KEY-160' | 'KEY-161' | 'KEY-162' | 'KEY-163' | 'KEY-110' | 'KEY-111' | 'KEY-112'

const T0 = 'docs/guide/keys.md'
const T1 = 'ADL section 6.3'
export const KEY_ALGORITHM = /* @__PURE__ */ finding('key/algorithm', 'KEY-101', 'Unsupported algorithm', T0)
export const KEY_MALFORMED = /* @__PURE__ */ finding('key/malformed', 'KEY-102', 'Malformed key', T0)
export const KEY_OTHER = /* @__PURE__ */ finding('key/other', 'KEY-103', 'Key that does not fit the algorithm', T0)
export const KEY_WEAK = /* @__PURE__ */ finding('key/weak', 'KEY-104', 'Weak key', T1)
export const KEY_PRIVATE = /* @__PURE__ */ finding('key/private', 'KEY-105', 'Private key is missing', T0)
export const KEY_HOST = /* @__PURE__ */ finding('key/host', 'KEY-106', 'Not possible on this host', T0)
export const KEY_BASE64 = /* @__PURE__ */ finding('key/base64', 'KEY-107', 'Malformed base64', 'RFC 4648 section 3')
export const KEY_HALVES = /* @__PURE__ */ finding('key/halves', 'KEY-108', 'Halves of different keys', T0)
export const CERTIFICATE_MALFORMED = /* @__PURE__ */ finding('certificate/malformed', 'KEY-160', 'Malformed certificate', 'RFC 5280 section 4.1')
export const CERTIFICATE_BOOLEAN = /* @__PURE__ */ finding('certificate/boolean', 'KEY-161', 'Malformed BOOLEAN', 'X.690 section 11.1')
export const CERTIFICATE_TIME = /* @__PURE__ */ finding('certificate/time', 'KEY-162', 'Malformed time in a certificate', 'RFC 5280 section 4.1.2.5')
export const CERTIFICATE_BITS = /* @__PURE__ */ finding('certificate/bits', 'KEY-163', 'Malformed bits', 'X.690 section 11.2')
export const KEY_DID = /* @__PURE__ */ finding('key/did', 'KEY-110', 'Malformed DID', T1)
export const KEY_DID_METHOD = /* @__PURE__ */ finding('key/did', 'KEY-111', 'Unsupported DID', T1)
export const KEY_DID_DOCUMENT = /* @__PURE__ */ finding('key/did', 'KEY-112', 'DID document without a usable key', T1)

export const ALL: readonly FindingKind[] = [KEY_ALGORITHM, KEY_MALFORMED, KEY_OTHER, KEY_WEAK, KEY_PRIVATE, KEY_HOST, KEY_BASE64, KEY_HALVES, CERTIFICATE_MALFORMED, CERTIFICATE_BOOLEAN, CERTIFICATE_TIME, CERTIFICATE_BITS, KEY_DID, KEY_DID_METHOD, KEY_DID_DOCUMENT]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...KEY_ALGORITHM, why: 'The algorithm is not one of the seven, or the kind of key does not fit them. Blazon gives no verdict instead of guessing.', bad: 'algorithm: \'ES256K\'', good: 'algorithm: \'ES256\'' },
  { ...KEY_MALFORMED, why: 'The text or bytes are not a key, such as malformed DER, an incomplete JWK, a point that is not on its curve, or another kind of PEM block.', bad: '{"kty": "OKP", "crv": "Ed25519"}', good: '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}' },
  { ...KEY_OTHER, why: 'The key is valid, but not for this algorithm. It is of another kind, or its JWK has another alg or use.', bad: 'a P-256 key with algorithm: \'Ed25519\'', good: 'the same key with algorithm: \'ES256\'' },
  { ...KEY_WEAK, why: 'RSA below 2048 bits, DSA and curves below P-256 can be broken; for points of small order anybody can sign.', bad: 'openssl genrsa 1024', good: 'openssl genrsa 3072, or better blazon keygen' },
  { ...KEY_PRIVATE, why: 'Signing, and writing PKCS #8, need the private key. This key is public.', bad: 'blazon sign agent.json --key agent.pub', good: 'blazon sign agent.json --key agent.key' },
  { ...KEY_HOST, why: 'Web Crypto is missing (browsers have it only in secure contexts), or does not support the curve.', bad: 'a page at http://', good: 'the same page at https://' },
  { ...KEY_BASE64, why: 'White space, wrong or missing padding, a character of the other alphabet, or bits after the last byte. Each sequence of bytes has exactly one text.', bad: 'Zh==', good: 'Zg==' },
  { ...KEY_HALVES, why: 'The public half does not verify what the private half signs. Blazon does not return such a signature, because it could reveal the key.', bad: 'a JWK with the d of one key and the x of another', good: 'a JWK from blazon keygen --jwk' },
  { ...CERTIFICATE_MALFORMED, why: 'The bytes are not a certificate, or say something in two ways, such as one extension twice.', bad: 'a certificate with two Capability-Sets', good: 'the file that openssl x509 -outform DER writes' },
  { ...CERTIFICATE_BOOLEAN, why: 'In DER, TRUE has one form, and FALSE is left out where it is the default. Otherwise one certificate would have several fingerprints.', bad: '01 01 01', good: '01 01 FF' },
  { ...CERTIFICATE_TIME, why: 'Times are written in UTC, to the second. Other forms mean different moments to different programs.', bad: '20260101120000+0100', good: '20260101110000Z' },
  { ...CERTIFICATE_BITS, why: 'In DER, unused bits are zero, and zeros at the end are left out. Otherwise one certificate would have several fingerprints.', bad: '03 02 01 07', good: '03 02 00 07' },
  { ...KEY_DID, why: 'The text is not a DID, has parameters or a fragment, or is a did:web with an address or a name without a dot as its host, or with an invalid path.', bad: 'did:web:127.0.0.1', good: 'did:web:example.com:agents:scout' },
  { ...KEY_DID_METHOD, why: 'The method is neither web nor key, or the key has an unsupported form or kind.', bad: 'did:ion:abc', good: 'did:web:example.com' },
  { ...KEY_DID_DOCUMENT, why: 'The document belongs to another subject, or lists no usable key for signing statements.', bad: '{"id": "did:web:example.com", "verificationMethod": []}', good: '{"id": "did:web:example.com", "verificationMethod": [{"id": "#key-1", "type": "Multikey", "publicKeyMultibase": "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"}], "assertionMethod": ["#key-1"]}' },
]
