// Explanations of the faults of keys and their identifiers. Only the catalogue loads them.
import { type Explanations, explained, type FindingInfo } from '../document/finding.ts'
import { DID_KINDS, KEY_KINDS } from './findings.ts'

const EXPLANATIONS: Explanations = {
  'KEY-101': {
    why: 'The algorithm is not one of the seven, or the key is of a kind that they do not use. A verdict would be a guess, so none is given.',
    bad: "algorithm: 'ES256K'",
    good: "algorithm: 'ES256'",
  },
  'KEY-102': {
    why: 'The text or bytes are not a key: malformed DER, a JWK that lacks a member, a point beside its curve, another kind of PEM block.',
    bad: '{"kty": "OKP", "crv": "Ed25519"}',
    good: '{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
  },
  'KEY-103': {
    why: 'The key is sound, but not for this algorithm: of another kind, or a JWK whose alg or use says otherwise.',
    bad: "a P-256 key with algorithm: 'Ed25519'",
    good: "the same key with algorithm: 'ES256'",
  },
  'KEY-104': {
    why: 'RSA below 2048 bits, DSA and curves below P-256 can be broken; for points of small order anybody can sign.',
    bad: 'openssl genrsa 1024',
    good: 'openssl genrsa 3072, or better blazon keygen',
  },
  'KEY-105': {
    why: 'A public key was given to sign with, or to write as PKCS #8.',
    bad: 'blazon sign agent.json --key agent.pub',
    good: 'blazon sign agent.json --key agent.key',
  },
  'KEY-106': {
    why: 'Web Crypto is absent (browsers have it in secure contexts only), or does not know the curve.',
    bad: 'a page at http://',
    good: 'the same page at https://',
  },
  'KEY-107': {
    why: 'White space, wrong or missing padding, a character of the other alphabet, or bits behind the last byte: one sequence of bytes has one text.',
    bad: 'Zh==',
    good: 'Zg==',
  },
  'KEY-108': {
    why: 'The public half does not verify what the private half signs. Such a signature is not given out: it could reveal the key.',
    bad: 'a JWK with the d of one key and the x of another',
    good: 'a JWK as blazon keygen --jwk writes it',
  },
  'KEY-110': {
    why: 'The text is no DID, has parameters or a fragment, or is a did:web whose host is an address or has no dot, or whose path leads out of itself.',
    bad: 'did:web:127.0.0.1',
    good: 'did:web:example.com:agents:scout',
  },
  'KEY-111': {
    why: 'The method is neither web nor key, or the key is in a form or of a kind that is not supported.',
    bad: 'did:ion:abc',
    good: 'did:web:example.com',
  },
  'KEY-112': {
    why: 'The document belongs to another subject, or lists no usable key for signing statements.',
    bad: '{"id": "did:web:example.com", "verificationMethod": []}',
    good: '{"id": "did:web:example.com", "verificationMethod": [{"id": "#key-1", "type": "Multikey", "publicKeyMultibase": "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"}], "assertionMethod": ["#key-1"]}',
  },
}

export const keyFindings = (): readonly FindingInfo[] => explained([...KEY_KINDS, ...DID_KINDS], EXPLANATIONS)
