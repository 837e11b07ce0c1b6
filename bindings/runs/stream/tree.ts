// Merkle trees of RFC 6962 section 2.1: a root stands for all leaves, a short proof for one of them, or for growth.
import { joinBytes, sameBytes } from '../../text/bytes.ts'
import { DIGEST_BYTES, MessageBatch, sha256Joined } from '../../wasm/sha256.ts'

export type Hash = Uint8Array<ArrayBuffer>

export const HASH_BYTES = DIGEST_BYTES

const [LEAF, NODE] = [0, 1]
const [LEAF_PREFIX, NODE_PREFIX] = [Uint8Array.of(LEAF), Uint8Array.of(NODE)]

/** The hash of a leaf. The prefix keeps leaves and nodes apart. */
export const leafHash = (leaf: Uint8Array): Hash => sha256Joined([LEAF_PREFIX, leaf])

const nodeHash = (left: Uint8Array, right: Uint8Array): Hash => sha256Joined([NODE_PREFIX, left, right])

const emptyRoot = (): Hash => sha256Joined([])

const foldRight = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right))

/** Leaves are hashed together when they have this many bytes, and there is one for each lane of the core. */
const BATCH_BYTES = 1 << 16
const LANES = 4
/** Longer leaves are hashed alone, so that a batch stays small. */
const LONGEST = 1 << 18

/** The root of a growing tree, in the memory of its height: the hash of each complete subtree, the largest first. */
export class Frontier {
  readonly #subtrees: Hash[]
  /** Leaves that are in the tree, but not hashed yet. */
  readonly #leaves = new MessageBatch()
  #size: number

  /** An empty tree, or one that an earlier `Frontier` had built. */
  constructor(subtrees: readonly Hash[] = [], size = 0) {
    this.#subtrees = [...subtrees]
    this.#size = size
  }

  get size(): number {
    return this.#size + this.#leaves.size
  }

  get subtrees(): readonly Hash[] {
    this.#hashLeaves()
    return this.#subtrees
  }

  get root(): Hash {
    return foldRight(this.subtrees)
  }

  /** Appends a leaf. Its hash is made together with those after it, or when the root is needed. */
  appendLeaf(leaf: Uint8Array): void {
    if (leaf.length > LONGEST) return void this.append(leafHash(leaf))
    this.#leaves.add(LEAF, leaf)
    if (this.#leaves.length > BATCH_BYTES && this.#leaves.size >= LANES) this.#hashLeaves()
  }

  /** Appends the hash of a leaf. */
  append(leaf: Hash): void {
    this.#hashLeaves()
    let hash = leaf
    // Each bit that carries completes a subtree of twice the size.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) hash = nodeHash(this.#subtrees.pop()!, hash)
    this.#subtrees.push(hash)
    this.#size++
  }

  /** Hashes the tree level by level: the nodes of a level do not depend on each other. */
  #hashLeaves(): void {
    const batch = this.#leaves
    if (batch.size === 0) return
    const complete: Hash[] = []
    let size = this.#size
    this.#size += batch.size
    for (let level = batch.digests(); level.length > 0; level = batch.digests()) {
      if (size % 2 === 1) level = joinBytes([this.#subtrees.pop()!, level])
      size = Math.floor(size / 2)
      const pairs = level.length - (level.length % (2 * HASH_BYTES))
      for (let at = 0; at < pairs; at += 2 * HASH_BYTES) batch.add(NODE, level.subarray(at, at + 2 * HASH_BYTES))
      if (pairs < level.length) complete.unshift(level.slice(pairs))
    }
    this.#subtrees.push(...complete)
  }
}

/** The hashes of all leaves, one behind the other: 32 bytes each. */
export class Leaves {
  #bytes = new Uint8Array(HASH_BYTES * 64)
  #size = 0

  get size(): number {
    return this.#size
  }

  append(leaf: Hash): void {
    const at = this.#size * HASH_BYTES
    if (at === this.#bytes.length) {
      const larger = new Uint8Array(2 * at)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(leaf, at)
    this.#size++
  }

  at(index: number): Hash {
    return this.#bytes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES)
  }

  /** The root of the leaves from `start` to `end`. */
  root(start = 0, end = this.#size): Hash {
    const tree = new Frontier()
    for (let i = start; i < end; i++) tree.append(this.at(i))
    return tree.root
  }

  /** The proof that a leaf is in the tree of a size: its siblings, from the leaf to the root (section 2.1.1). */
  inclusionProof(index: number, size: number): Hash[] {
    if (!(index >= 0 && index < size && size <= this.#size))
      throw new RangeError(`index: expected a leaf of the first ${size}, got ${index}`)
    return this.#path(index, 0, size)
  }

  #path(index: number, start: number, end: number): Hash[] {
    if (end - start === 1) return []
    const middle = start + split(end - start)
    return index < middle
      ? [...this.#path(index, start, middle), this.root(middle, end)]
      : [...this.#path(index, middle, end), this.root(start, middle)]
  }

  /** The proof that the tree of one size is the beginning of the tree of another (section 2.1.2). */
  consistencyProof(from: number, to: number): Hash[] {
    if (!(from >= 0 && from <= to && to <= this.#size))
      throw new RangeError(`from: expected a size up to ${to}, got ${from}`)
    return from === 0 || from === to ? [] : this.#growth(from, 0, to, true)
  }

  #growth(from: number, start: number, end: number, isWhole: boolean): Hash[] {
    if (from === end) return isWhole ? [] : [this.root(start, end)]
    const middle = start + split(end - start)
    return from <= middle
      ? [...this.#growth(from, start, middle, isWhole), this.root(middle, end)]
      : [...this.#growth(from, middle, end, false), this.root(start, middle)]
  }
}

/** The largest power of two below a size. */
function split(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** The root that an inclusion proof leads to; undefined for a proof of another length (RFC 9162 section 2.1.3.2). */
export function rootOfInclusion(leaf: Hash, index: number, size: number, proof: readonly Hash[]): Hash | undefined {
  if (!(index >= 0 && index < size) || leaf.length !== HASH_BYTES) return undefined
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return undefined
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else hash = nodeHash(hash, sibling)
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hash : undefined
}

export interface TreeHead {
  readonly size: number
  readonly root: Hash
}

/** True when the proof shows that one tree is the beginning of the other (RFC 9162 section 2.1.4.2). */
export function isConsistent(from: TreeHead, to: TreeHead, proof: readonly Hash[]): boolean {
  if (from.size > to.size) return false
  if (from.size === to.size || from.size === 0) {
    const isRoot = from.size > 0 || sameBytes(from.root, emptyRoot())
    // Every tree begins with the empty one.
    const isSame = from.size < to.size ? to.root.length === HASH_BYTES : sameBytes(from.root, to.root)
    return proof.length === 0 && isRoot && isSame
  }
  const path = isPowerOfTwo(from.size) ? [from.root, ...proof] : [...proof]
  const first = path.shift()
  if (first === undefined) return false
  let [node, last, old, now] = [from.size - 1, to.size - 1, first, first]
  while (node % 2 === 1) [node, last] = [(node - 1) / 2, Math.floor(last / 2)]
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      old = nodeHash(sibling, old)
      now = nodeHash(sibling, now)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else now = nodeHash(now, sibling)
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && sameBytes(old, from.root) && sameBytes(now, to.root)
}

/** Sizes may exceed 32 bits, so no bit operations. */
const isPowerOfTwo = (size: number) => Number.isInteger(Math.log2(size)) && 2 ** Math.log2(size) === size
