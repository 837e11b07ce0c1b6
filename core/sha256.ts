// SHA-256 (FIPS 180-4): the digest of the input, or of each message in it. SIMD hashes four messages at once.

import { RESULT, seal, take } from "./arena";
import { NO_MEMORY } from "./faults";

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
  hash(seal(length), length, HASH);
  store<u32>(RESULT, <u32>HASH);
  return 32;
}

/**
 * Hashes each message in the input: its length (u32), its bytes, and room for its padding, until (length + 72) & ~63
 * bytes. A length beyond the input means its end. Returns the length of all digests, 32 bytes each; word 0: the address
 * of the first.
 */
export function sha256Each(length: u32): i32 {
  let p = seal(length);
  const end = p + length;
  // A message takes at least 68 bytes, the last one 5. Its padding may reach beyond that of `seal`, by 8 bytes.
  let to = take(64 + (length >> 1)) + 16;
  if (to == 16) return NO_MEMORY;
  store<u32>(RESULT, <u32>to);
  if (ASC_FEATURE_SIMD) to = lanes(p, end, to);
  else for (; p + 4 <= end; to += 32) p = hash(p + 4, lengthAt(p, end), to);
  return <i32>(to - load<u32>(RESULT));
}

/** The length of the message whose length is at `p`. */
function lengthAt(p: usize, end: usize): u32 { return min(load<u32>(p), <u32>(end - p - 4)); }

/** Pads the message at `p` with a bit, zeros and its length in bits. Returns where its last block ends. */
function pad(p: usize, length: u32): usize {
  const end = p + ((length + 72) & ~63);
  p += length;
  store<u64>(p, 0x80);
  for (let q = end - 16; q > p; q -= 8) store<u64>(q, 0);
  store<u64>(end - 8, bswap(<u64>length << 3));
  return end;
}

/** Writes the digest of the message at `p` to `to`. Returns where its last block ends. */
function hash(p: usize, length: u32, to: usize): usize {
  memory.copy(HASH, INITIAL, 32);
  for (const end = pad(p, length); p < end; p += 64) compress(p);
  writeDigest(to, HASH, 0);
  return p;
}

/** Writes a digest from the words of a hash, which are `4 << shift` bytes apart. */
function writeDigest(to: usize, from: usize, shift: usize): void {
  for (let i: usize = 0; i < 32; i += 4) store<u32>(to + i, bswap(load<u32>(from + (i << shift))));
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

// Four messages at once: each has a lane, which is one of the four 32-bit numbers in every vector.

/** Of each lane: the address of its block, the end of its last block, and the address for the digest, 0 when it is idle. */
const LANES: usize = memory.data(64, 16);
/** The message schedules of four blocks, and their intermediate hashes. */
const WS: usize = memory.data(1024, 16);
const HASHES: usize = memory.data(128, 16);

/** Hashes each message in [p, end). A lane whose message ends takes the next one. Returns where the digests end. */
function lanes(p: usize, end: usize, to: usize): usize {
  for (let busy: u32 = 1; busy;) {
    busy = 0;
    for (let lane = LANES; lane < LANES + 64; lane += 16) {
      const own = HASHES + ((lane - LANES) >> 2), at = load<u32>(lane, 8);
      if (at) {
        store<u32>(lane, load<u32>(lane) + 64);
        if (load<u32>(lane) == load<u32>(lane, 4)) {
          writeDigest(at, own, 2);
          store<u32>(lane, 0, 8);
        }
      }
      // The block of an idle lane stays where the last one ended.
      if (!load<u32>(lane, 8) && p + 4 <= end) {
        const n = lengthAt(p, end);
        for (let i: usize = 0; i < 32; i += 4) store<u32>(own + (i << 2), load<u32>(INITIAL + i));
        p += 4;
        store<u32>(lane, <u32>p);
        store<u32>(lane, <u32>to, 8);
        p = pad(p, n);
        store<u32>(lane, <u32>p, 4);
        to += 32;
      }
      busy |= load<u32>(lane, 8);
    }
    if (busy) compressLanes();
  }
  return to;
}

/** Processes a block of each lane, as `compress` does. */
function compressLanes(): void {
  for (let i: usize = 0; i < 64; i += 4) {
    let v = v128.load_splat<u32>(load<u32>(LANES) + i);
    v = v128.load_lane<u32>(load<u32>(LANES, 16) + i, v, 1);
    v = v128.load_lane<u32>(load<u32>(LANES, 32) + i, v, 2);
    v = v128.load_lane<u32>(load<u32>(LANES, 48) + i, v, 3);
    v128.store(WS + (i << 2), v128.shuffle<u8>(v, v, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  }
  for (let w = WS; w < WS + 768; w += 16) {
    const x = v128.load(w, 16), y = v128.load(w, 224);
    const s0 = v128.xor(v128.xor(rotr4(x, 7), rotr4(x, 18)), i32x4.shr_u(x, 3));
    const s1 = v128.xor(v128.xor(rotr4(y, 17), rotr4(y, 19)), i32x4.shr_u(y, 10));
    v128.store(w, i32x4.add(i32x4.add(v128.load(w), s0), i32x4.add(v128.load(w, 144), s1)), 256);
  }
  let a = v128.load(HASHES), b = v128.load(HASHES, 16), c = v128.load(HASHES, 32), d = v128.load(HASHES, 48);
  let e = v128.load(HASHES, 64), f = v128.load(HASHES, 80), g = v128.load(HASHES, 96), h = v128.load(HASHES, 112);
  for (let i: usize = 0; i < 256; i += 4) {
    const kw = i32x4.add(v128.load_splat<u32>(K + i), v128.load(WS + (i << 2)));
    const s1 = v128.xor(v128.xor(rotr4(e, 6), rotr4(e, 11)), rotr4(e, 25));
    const x = i32x4.add(i32x4.add(h, kw), i32x4.add(s1, v128.bitselect(f, g, e)));
    const s0 = v128.xor(v128.xor(rotr4(a, 2), rotr4(a, 13)), rotr4(a, 22));
    const y = i32x4.add(s0, v128.bitselect(c, a, v128.xor(a, b)));
    h = g;
    g = f;
    f = e;
    e = i32x4.add(d, x);
    d = c;
    c = b;
    b = a;
    a = i32x4.add(x, y);
  }
  v128.store(WS, a);
  v128.store(WS, b, 16);
  v128.store(WS, c, 32);
  v128.store(WS, d, 48);
  v128.store(WS, e, 64);
  v128.store(WS, f, 80);
  v128.store(WS, g, 96);
  v128.store(WS, h, 112);
  for (let i: usize = 0; i < 128; i += 16)
    v128.store(HASHES + i, i32x4.add(v128.load(HASHES + i), v128.load(WS + i)));
}

// @ts-ignore: decorator
@inline function rotr4(v: v128, n: i32): v128 { return v128.or(i32x4.shr_u(v, n), i32x4.shl(v, 32 - n)); }
