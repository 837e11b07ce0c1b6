// A signed root zone that answers for a few names: enough of a name server for `npm start -- --agents` (RFC 1035, RFC
// 4034).
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export const TYPE = { A: 1, TXT: 16, RRSIG: 46, NSEC: 47, DNSKEY: 48 }
/** ECDSA with P-256 and SHA-256 (RFC 6605). */
const ALGORITHM = 13
const SHA_256 = 2
/** The flags and the protocol of a key that signs its own key set (RFC 4034 section 2.1). */
const KEY_SIGNING = [0x01, 0x01, 3]
const TTL_SECONDS = 60
const DAY_SECONDS = 86_400
const INTERNET = 1
const ROOT = Buffer.from([0])

const u16 = (n) => Buffer.from([n >> 8, n & 0xff])
const u32 = (n) => Buffer.from([n >>> 24, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff])
const recordOf = ({ owner, type, data }) =>
  Buffer.concat([owner, u16(type), u16(INTERNET), u32(TTL_SECONDS), u16(data.length), data])
const wireOf = (name) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), ROOT])

/** `records`: each with its name, type and data. */
export function signedZone(records) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const dnsKey = Buffer.from([...KEY_SIGNING, ALGORITHM, ...point])
  const all = [
    ...records.map(({ name, type, data }) => ({ owner: wireOf(name), type, data })),
    { owner: ROOT, type: TYPE.DNSKEY, data: dnsKey },
  ]
  const tag = tagOf(dnsKey)

  /** A record and its signature (RFC 4034 section 3.1). None of the names here comes from a wildcard. */
  function signed(record) {
    const now = Math.floor(Date.now() / 1000)
    const head = Buffer.concat([
      u16(record.type),
      Buffer.from([ALGORITHM, labelsOf(record.owner)]),
      ...[TTL_SECONDS, now + DAY_SECONDS, now - 3600].map(u32),
      u16(tag),
      ROOT,
    ])
    const covered = Buffer.concat([head, recordOf(record)])
    const signature = sign('sha256', covered, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return [record, { owner: record.owner, type: TYPE.RRSIG, data: Buffer.concat([head, signature]) }].map(recordOf)
  }

  return {
    /** The DS record that resolvers must trust. */
    ds: `${tag} ${ALGORITHM} ${SHA_256} ${createHash('sha256').update(ROOT).update(dnsKey).digest('hex')}`,
    /** The answer to a query; undefined for an invalid query. */
    answer(question) {
      const asked = readQuestion(question)
      if (asked === undefined) return undefined
      const here = all.filter(({ owner }) => owner.equals(asked.owner))
      const found = here.find(({ type }) => type === asked.type)
      const section = signed(found ?? denialOf(asked.owner, here))
      const counts = found === undefined ? [1, 0, section.length, 0] : [1, section.length, 0, 0]
      // The id of the query; the flags of an authoritative answer to a query that asked for recursion.
      const header = Buffer.concat([question.subarray(0, 2), u16(0x8580), ...counts.map(u16)])
      return Buffer.concat([header, asked.bytes, ...section])
    },
  }
}

/** Denies all other types of a name, and nothing more (RFC 4470). */
function denialOf(owner, here) {
  const types = [...here.map((record) => record.type), TYPE.RRSIG, TYPE.NSEC]
  const map = Buffer.alloc((Math.max(...types) >> 3) + 1)
  for (const type of types) map[type >> 3] |= 0x80 >> (type & 7)
  const next = Buffer.concat([Buffer.from([1, 0]), owner])
  return { owner, type: TYPE.NSEC, data: Buffer.concat([next, Buffer.from([0, map.length]), map]) }
}

function readQuestion(message) {
  let at = 12
  while (message[at] > 0 && message[at] < 64) at += 1 + message[at]
  if (message[at] !== 0 || message.length < at + 5) return undefined
  const owner = Buffer.from(
    message
      .subarray(12, at + 1)
      .toString('latin1')
      .toLowerCase(),
    'latin1',
  )
  return { owner, type: message.readUInt16BE(at + 1), bytes: message.subarray(12, at + 5) }
}

function labelsOf(owner) {
  let count = 0
  for (let at = 0; owner[at] > 0; at += 1 + owner[at]) count++
  return count
}

/** RFC 4034 appendix B. */
function tagOf(data) {
  let sum = 0
  for (const [i, byte] of data.entries()) sum += i % 2 === 0 ? byte << 8 : byte
  return (sum + (sum >> 16)) & 0xffff
}
