// The forms of private keys, and texts that resemble them.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

/** The key of RFC 8037 appendix A.1 in several forms. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const { d, ...PUBLIC_JWK } = JWK
const key = createPrivateKey({ key: JWK, format: 'jwk' })
const seed = Buffer.from(d, 'base64url')
const pem = key.export({ format: 'pem', type: 'pkcs8' }) as string
const der = key.export({ format: 'der', type: 'pkcs8' })
const json = JSON.stringify(JWK)
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const rsaDer = rsa.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const inLines = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
const pgp = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: for tests\n\nlFgEZ0aXfhYJKwYBBAHaRw8BAQdA\n=Ab1c\n-----END PGP PRIVATE KEY BLOCK-----`

/** Examples of W3C's Multikey and Data Integrity specifications. */
const MULTIKEY = 'z3u2en7t5LR2WtQH5PfFqMqwVHgeXouLzo6haApm8XHqvjxq'

export const PRIVATE_FORMS: readonly (readonly [form: string, text: string])[] = [
  ['PEM', pem],
  ['PEM without an end', pem.slice(0, 60)],
  ['PEM with another number of dashes', pem.replaceAll('-----', '---')],
  ['PEM with long dashes of a word processor', pem.replaceAll('-----', '—')],
  ['PEM whose label is broken', pem.replaceAll('PRIVATE KEY', 'PRIVATE\nKEY')],
  ['PEM in a string of JSON', JSON.stringify({ tools: [{ key: pem }] })],
  ['PEM in a string in a string', JSON.stringify({ text: JSON.stringify({ key: pem }) })],
  ['PEM in a block of YAML', `key: |\n  ${pem.replaceAll('\n', '\n  ')}`],
  ['PEM in lines of source code', pem.replace(/^.*$/gm, '"$&\\n" +')],
  ['PEM in base64', `tls.key: ${Buffer.from(pem).toString('base64')}`],
  ['RSA PRIVATE KEY', rsa.export({ format: 'pem', type: 'pkcs1' }) as string],
  ['EC PRIVATE KEY', ec.export({ format: 'pem', type: 'sec1' }) as string],
  [
    'ENCRYPTED PRIVATE KEY with headers',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89\n\nAb3dEf5hIj7lMn9pQr1tUv3xYz\n',
  ],
  ['OPENSSH PRIVATE KEY', `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n`],
  ['an OpenSSH key without its label', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB'],
  ['PGP', pgp],
  ['PKCS #8 in base64', der.toString('base64')],
  ['PKCS #8 in base64url', der.toString('base64url')],
  ['PKCS #8 in base64, in lines of 64', inLines(rsaDer, 64)],
  ['PKCS #8 in hex', `key = ${der.toString('hex')}`],
  [
    'PKCS #8, encrypted',
    ec.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }).toString('base64'),
  ],
  ['SEC 1 in base64', `a: ${ec.export({ format: 'der', type: 'sec1' }).toString('base64')}`],
  ['JWK', json],
  ['JWK with escapes in its names', json.replace('"kty"', '"\\u006bty"').replace('"d"', '"\\u0064"')],
  ['JWK in an object', JSON.stringify({ agent: { keys: [{ use: 'sig' }, { jwk: JWK }] } })],
  ['JWK in a string of JSON', JSON.stringify({ AGENT_KEY: json })],
  ['JWK in base64', `KEY=${Buffer.from(json).toString('base64')}`],
  ['JWK, half typed', json.slice(0, json.indexOf(d) + 20)],
  ['JWK without a colon', json.replace('"d":', '"d"')],
  ['JWK in YAML', `kty: OKP\ncrv: Ed25519\nd: ${d}\n`],
  ['JWK in YAML, folded', `key:\n  kty: OKP\n  d: >-\n    ${d}\n`],
  ['JWK in a flow of YAML', `{kty: OKP, d: ${d}}`],
  ['JWK of RSA', JSON.stringify({ ...rsa.export({ format: 'jwk' }), d: undefined })],
  ['JWK of a shared secret', '{"kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMko"}'],
  ['the private member alone', `{"d": "${d}"}`],
  ['age', 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'],
  ['Multikey', `{"id": "did:example:a#1", "secretKeyMultibase": "${MULTIKEY}"}`],
  ['Multikey without a name', MULTIKEY],
  ['Multikey of P-384', 'z2fanyY7zgwNpZGxX5fXXibvScNaUWNprHU9dKx7qpVj7mws9J8LLt4mDB5TyH2GLHWkUc'],
  ['multibase in base64url', `u${Buffer.from([0x80, 0x26, ...seed]).toString('base64url')}`],
  ['multibase in hex', `f8026${seed.toString('hex')}`],
  ['hex under a name', `privateKey: ${seed.toString('hex')}`],
  ['hex with 0x under a name', `{"private_key_hex": "0x${seed.toString('hex')}"}`],
  ['hex in a file of settings', `AGENT_SECRET_KEY=${seed.toString('hex')}`],
  ['base64 under a name', `[Interface]\nPrivateKey = ${seed.toString('base64')}`],
  [
    'base64 with escaped slashes',
    `{"secretKey": "${Buffer.alloc(32, 'OÿÁ').toString('base64').replaceAll('/', '\\/')}"}`,
  ],
]

const publicKey = createPublicKey(key)
const digest = createHash('sha256').update('a').digest()

export const PUBLIC_FORMS: readonly (readonly [form: string, text: string])[] = [
  ['a public JWK', JSON.stringify({ keys: [PUBLIC_JWK] })],
  ['a public JWK of RSA', JSON.stringify(createPublicKey(rsa).export({ format: 'jwk' }))],
  ['a public PEM', JSON.stringify({ full: publicKey.export({ format: 'pem', type: 'spki' }) })],
  ['SPKI in base64', `value: ${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`],
  ['a public Multikey', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'],
  [
    'a signature',
    JSON.stringify({ signature: { algorithm: 'Ed25519', value: sign(null, digest, key).toString('base64url') } }),
  ],
  ['digests', `sha256: ${digest.toString('hex')}\ndigest: ed25519:${digest.toString('base64url')}`],
  ['a JSON Web Token', `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.${sign(null, digest, key).toString('base64url')}`],
  ['the id of a private key', `{"private_key_id": "${digest.toString('hex')}", "privateKeyThumbprint": "${d}"}`],
  [
    'where a private key is',
    'private_key: projects/My-Company/secrets/AgentKey/versions/latest\nsecret_key: AGENT_PRIVATE_KEY_PRODUCTION',
  ],
  [
    'words about a private key',
    'description: Reads files that begin with -----BEGIN PRIVATE KEY----- and refuses them with an explanation.',
  ],
  [
    'a member d of a document',
    '{"d": "international-shipping-rates", "kty": "OKP", "k": "MaxConcurrentTasksOfOneCaller"}',
  ],
]
