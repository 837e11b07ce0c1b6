// SHA-256 (FIPS 180-4): the digest of the input, in one call.

import { RESULT, seal } from "./arena";

const K: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
/** The message schedule of a block: 64 words. */
const W: usize = memory.data(256, 16);
/** The intermediate hash, and finally the digest. */
const HASH: usize = memory.data(32, 16);

/** Hashes the input, of `length` bytes. Returns the length of the digest, 32; word 0: its address. */
export function sha256(length: u32): i32 {
  const begin = seal(length);
  const end = begin + length;
  const behind = (end - begin + 72) & ~63;
  // The message is padded with a bit, zeros and its length in bits: at most 72 bytes, of which `seal` has cleared 64.
  store<u64>(end, 0, 64);
  store<u8>(end, 0x80);
  store<u64>(begin + behind - 8, bswap(<u64>length << 3));
  memory.copy(HASH, INITIAL, 32);
  for (let p = begin; p < begin + behind; p += 64) compress(p);
  for (let i: usize = 0; i < 32; i += 4) store<u32>(HASH + i, bswap(load<u32>(HASH + i)));
  store<u32>(RESULT, <u32>HASH);
  return 32;
}

/** Processes the block at `p`. */
function compress(p: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(W + i, bswap(load<u32>(p + i)));
  for (let w = W; w < W + 192; w += 4) {
    const x = load<u32>(w, 4), y = load<u32>(w, 56);
    const s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
    const s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
    store<u32>(w, load<u32>(w) + s0 + load<u32>(w, 36) + s1, 64);
  }
  let a = load<u32>(HASH), b = load<u32>(HASH, 4), c = load<u32>(HASH, 8), d = load<u32>(HASH, 12);
  let e = load<u32>(HASH, 16), f = load<u32>(HASH, 20), g = load<u32>(HASH, 24), h = load<u32>(HASH, 28);
  for (let i: usize = 0; i < 256; i += 4) {
    const x = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) + load<u32>(K + i) + load<u32>(W + i);
    const y = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + x;
    d = c;
    c = b;
    b = a;
    a = x + y;
  }
  store<u32>(HASH, load<u32>(HASH) + a);
  store<u32>(HASH, load<u32>(HASH, 4) + b, 4);
  store<u32>(HASH, load<u32>(HASH, 8) + c, 8);
  store<u32>(HASH, load<u32>(HASH, 12) + d, 12);
  store<u32>(HASH, load<u32>(HASH, 16) + e, 16);
  store<u32>(HASH, load<u32>(HASH, 20) + f, 20);
  store<u32>(HASH, load<u32>(HASH, 24) + g, 24);
  store<u32>(HASH, load<u32>(HASH, 28) + h, 28);
}
