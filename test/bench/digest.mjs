// SHA-256 at once, the way into the module and out of it included, against the script that needs no module.
import { sha256 as peerSha256 } from '@noble/hashes/sha2.js'
import { sha256 } from 'blazon/core'
import { random } from './documents.mjs'

export const title = 'SHA-256'

const SIZES = [
  { name: '64 bytes', bytes: 64 },
  { name: '1 KB', bytes: 1_000 },
  { name: '1 MB', bytes: 1_000_000 },
]

export function cases() {
  const next = random(180)
  return SIZES.map(({ name, bytes }) => {
    const input = Uint8Array.from({ length: bytes }, () => next() * 256)
    return {
      name,
      floor: 1,
      aim: 1.5,
      ours: () => sha256(input),
      peers: { '@noble/hashes': () => peerSha256(input) },
      check() {
        const theirs = peerSha256(input)
        if (sha256(input).some((byte, i) => byte !== theirs[i])) throw new Error('digests differ')
      },
    }
  })
}
