/**
 * The sequence of doubles for which the authors of RFC 8785 publish hashes: 168 hand-picked ones, 2000 consecutive ones
 * from the smallest normal double, then four from each link of an endless SHA-256 chain, skipping zeros, infinities and
 * NaNs.
 * https://github.com/cyberphone/json-canonicalization/tree/master/testdata
 * @module
 */

/** The number of lines, and the SHA-256 of that many lines `bits in hex,text\n`. */
export const PUBLISHED: readonly (readonly [lines: number, sha256: string])[] = [
  [1_000, 'be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687'],
  [10_000, 'b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892'],
  [100_000, '22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7'],
  [1_000_000, '49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16'],
]

// Big-endian, in base64.
const BY_HAND =
  'AAAAAAAAAACAAAAAAAAAAAAAAAAAAAABgAAAAAAAAAHEZpZpXb0cw8QyEe3kl0o1w/zpfKDyEFbDxyEwgMGmrMOSgPOaNIVWw12b' +
  'H10g1VfDJ69MSoCqrMLy8qNuzVVWwr5RBX4VVVjCiEDRMaqqrMJTZw3BVVVXwh8LSTVVVVfB6NXUKqqqrMGz3kNVVVVWwX/KBVVV' +
  'VVbBSW5qqqqqq8EUWFVVVVVVwOBGqqqqqqvAqgqqqqqqqsB01VVVVVVVwECqqqqqqqvACqqqqqqqq7/VVVVVVVVVv6ERERERERG/' +
  'a06BtOgbT7812GfD7OKlvwF57Jy9gh6+y/ZHYS82lr6WXp+A8pISvmHlTGcodNu+LKIT2EC6+L326A/gM8jGvcJTP+aP09K9jVH/' +
  '10yGHL1XdMysPTgXvSLD1vAw+ay87gYks4GPeby4BOopNHLHvIM3IbqQW9O8Tr6cXbPGHrwYmH0XwwTlu+OtMN/PNx27r3uBZhhY' +
  'L7t5L5q4E3m/u0QmFWAPlJm7EB53gAx24brZyljM4L41uqSh4KPm/pC6cIGAgx8yDbo6aM2emFAWRGaWaV29HMNEMhHt5JdKNUP8' +
  '6Xyg8hBWQ8chMIDBpqxDkoDzmjSFVkNdmx9dINVXQyevTEqAqqxC8vKjbs1VVkK+UQV+FVVYQohA0TGqqqxCU2cNwVVVV0IfC0k1' +
  'VVVXQejV1CqqqqxBs95DVVVVVkF/ygVVVVVWQUluaqqqqqtBFFhVVVVVVUDgRqqqqqqrQKoKqqqqqqpAdNVVVVVVVUBAqqqqqqqr' +
  'QAqqqqqqqqs/1VVVVVVVVT+hERERERERP2tOgbToG08/Ndhnw+zipT8BeeycvYIePsv2R2EvNpY+ll6fgPKSEj5h5UxnKHTbPiyi' +
  'E9hAuvg99ugP4DPIxj3CUz/mj9PSPY1R/9dMhhw9V3TMrD04Fz0iw9bwMPmsPO4GJLOBj3k8uATqKTRyxzyDNyG6kFvTPE6+nF2z' +
  'xh48GJh9F8ME5TvjrTDfzzcdO697gWYYWC87eS+auBN5vztEJhVgD5SZOxAed4AMduE62cpYzOC+NTqkoeCj5v6QOnCBgIMfMg06' +
  'OmjNnphQFkAkAAAAAAAAQBQAAAAAAAA/4AAAAAAAAD+pmZmZmZmaP3R64UeuFHs/QGJN0vGp/D8KNuLrHEMtPtT4tYjjaPE+oMb3' +
  'oLXtjT5q1/KavK9IPjV5juIwjDo+1TkiNYn6lT7U/ybNWneBPtT5WnYig/8+1PjGBwNSDD7U+LcvGc0NPtT4tbMcDI0+1Pi1jRxG' +
  'Gj7U+LWJT38OPtT4tYjuN/M+1Pi1iOR9pD7U+LWI44ScPtT4tYjja7U+1Pi1iONpNz7U+LWI42j4PtT4tYjjaPE/8AAAAAAAAL/w' +
  'AAAAAAAAv+////////q/7///////+z/v///////6P+////////s/7////////D/v///////+v+////////+/7////////z/v////' +
  '////P+////////8/0zMzMzMzMj/TMzMzMzMzP9MzMzMzMzQAEAAAAAAAAAAP///////9AA////////9/7//////////v////////' +
  'Q0AAAAAAAADDQAAAAAAAAEQwAAAAAAAARLUtAsfhSvVEtS0Cx+FK9kS1LQLH4Ur3REsa5Nbi705ESxrk1uLvT0RLGuTW4u9QPrDG' +
  '96C17Yw+sMb3oLXtjUGz3kNVVVVTQbPeQ1VVVVRBs95DVVVVVUGz3kNVVVVWQbPeQ1VVVVe+y/ZHYS82lkMUP/PBywlZ'

const LEAST_NORMAL = 0x0010_0000_0000_0000n
const IN_A_ROW = 2000

/** The bit patterns of the first `count` doubles of the sequence. */
export async function numberBits(count: number): Promise<BigUint64Array<ArrayBuffer>> {
  const bits = new BigUint64Array(count)
  let have = 0
  const add = (pattern: bigint) => {
    if (have < count) bits[have++] = pattern
  }

  const byHand = new DataView(Uint8Array.from(atob(BY_HAND), (character) => character.charCodeAt(0)).buffer)
  for (let at = 0; at < byHand.byteLength; at += 8) add(byHand.getBigUint64(at))
  for (let i = 0; i < IN_A_ROW; i++) add(LEAST_NORMAL + BigInt(i))

  let link: ArrayBuffer = new ArrayBuffer(32)
  while (have < count) {
    link = await crypto.subtle.digest('SHA-256', link)
    const view = new DataView(link)
    for (let at = 0; at < 32; at += 8) {
      const value = view.getFloat64(at, true)
      if (value !== 0 && Number.isFinite(value)) add(view.getBigUint64(at, true))
    }
  }
  return bits
}
