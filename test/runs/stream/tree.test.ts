// Merkle trees, with the vectors of transparency-dev, and the definition of RFC 6962 as the oracle.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Frontier, isConsistent, Leaves, leafHash, rootOfInclusion } from '../../../bindings/runs/stream/tree.ts'
import { hasSuite, suiteFile } from '../../support/suites.ts'

const isThere = hasSuite('transparency-merkle')
const suite = (name: string) =>
  isThere ? JSON.parse(Buffer.from(suiteFile('transparency-merkle', name)).toString('utf8')) : []
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const hex = (hash: Uint8Array | undefined) => hash && Buffer.from(hash).toString('hex')

const sha = (...parts: Uint8Array[]) => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
/** Section 2.1, word by word. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha(Uint8Array.of(0), leaves[0]!)
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha(Uint8Array.of(1), rootByDefinition(leaves.slice(0, k)), rootByDefinition(leaves.slice(k)))
}
const treeOf = (leaves: readonly Uint8Array[]) => {
  const tree = new Leaves()
  for (const leaf of leaves) tree.append(leafHash(leaf))
  return tree
}

describe.skipIf(!isThere)('the public vectors', () => {
  interface Inclusion {
    desc: string
    leafIdx: number
    treeSize: number
    root: string
    leafHash: string
    proof: string[] | null
    wantErr: boolean
  }
  interface Consistency {
    desc: string
    size1: number
    size2: number
    root1: string
    root2: string
    proof: string[] | null
    wantErr: boolean
  }

  test('inclusion', () => {
    for (const row of suite('inclusion.json') as Inclusion[]) {
      const root = rootOfInclusion(bytes(row.leafHash), row.leafIdx, row.treeSize, (row.proof ?? []).map(bytes))
      expect([row.desc, hex(root) === hex(bytes(row.root))]).toEqual([row.desc, !row.wantErr])
    }
  })

  test('consistency', () => {
    for (const row of suite('consistency.json') as Consistency[]) {
      const [from, to] = [
        { size: row.size1, root: bytes(row.root1) },
        { size: row.size2, root: bytes(row.root2) },
      ]
      const isRight = isConsistent(from, to, (row.proof ?? []).map(bytes))
      expect([row, isRight]).toEqual([row, !row.wantErr])
    }
  })

  test('the roots of RFC 6962', () => {
    const { leaves, rootsBySize } = suite('rfc6962-tree.json') as { leaves: string[]; rootsBySize: string[] }
    const tree = new Frontier()
    for (const [size, root] of rootsBySize.entries()) {
      expect([size, hex(tree.root)]).toEqual([size, root])
      if (size < leaves.length) tree.append(leafHash(new Uint8Array(Buffer.from(leaves[size]!, 'hex'))))
    }
  })
})

describe('trees of every size up to 40', () => {
  const leaves = Array.from({ length: 40 }, (_, i) => Buffer.from(`leaf ${i}`))

  test('the root is that of the definition', () => {
    const tree = new Frontier()
    for (let size = 0; size <= leaves.length; size++) {
      expect(hex(tree.root)).toBe(hex(rootByDefinition(leaves.slice(0, size))))
      if (size < leaves.length) tree.append(leafHash(leaves[size]!))
    }
  })

  test('leaves that are hashed together make the same trees, wherever somebody asks for the root', () => {
    for (let every = 1; every <= leaves.length; every++) {
      const tree = new Frontier()
      for (const [i, leaf] of leaves.entries()) {
        if (i % 7 === 3) tree.append(leafHash(leaf))
        else tree.appendLeaf(leaf)
        expect(tree.size).toBe(i + 1)
        if (tree.size % every === 0) expect(hex(tree.root)).toBe(hex(rootByDefinition(leaves.slice(0, i + 1))))
      }
      const rest = new Frontier(tree.subtrees, tree.size)
      for (const leaf of leaves) rest.appendLeaf(leaf)
      expect(hex(rest.root)).toBe(hex(rootByDefinition([...leaves, ...leaves])))
    }
  })

  test('leaves of any length keep their order', () => {
    const lengths = [0, 10, 70_000, 65_000, 300, 65_535, 65_536, 65_537, 200_000, 1, 262_144, 262_145, 9, 99_999]
    const long = lengths.map((length, i) => Buffer.alloc(length, i + 1))
    const tree = new Frontier()
    for (const leaf of long) tree.appendLeaf(leaf)
    expect(hex(tree.root)).toBe(hex(rootByDefinition(long)))
  })

  test('each proof leads to its root, and to no other', () => {
    const tree = treeOf(leaves)
    for (let size = 1; size <= leaves.length; size++)
      for (let index = 0; index < size; index++) {
        const proof = tree.inclusionProof(index, size)
        const root = hex(tree.root(0, size))
        expect(hex(rootOfInclusion(tree.at(index), index, size, proof))).toBe(root)
        expect(hex(rootOfInclusion(tree.at(index), (index + 1) % size, size, proof)) === root && size > 1).toBe(false)
        expect(hex(rootOfInclusion(tree.at(index), index, size, proof.slice(1))) === root && size > 1).toBe(false)
        expect(rootOfInclusion(tree.at(index), index, size, [...proof, tree.at(0)])).toBeUndefined()
      }
  })

  test('growth is proven, and a change of history is not', () => {
    const tree = treeOf(leaves)
    const changed = treeOf(leaves.map((leaf, i) => (i === 2 ? Buffer.from('another') : leaf)))
    for (let from = 0; from <= leaves.length; from++)
      for (let to = from; to <= leaves.length; to++) {
        const head = (of: Leaves, size: number) => ({ size, root: of.root(0, size) })
        const proof = tree.consistencyProof(from, to)
        expect(isConsistent(head(tree, from), head(tree, to), proof)).toBe(true)
        if (from > 2) {
          const other = changed.consistencyProof(from, to)
          expect(isConsistent(head(tree, from), head(changed, to), other)).toBe(false)
          expect(isConsistent(head(tree, from), head(changed, to), proof)).toBe(false)
        }
        expect(isConsistent(head(tree, from), head(tree, to), [...proof, tree.at(0)])).toBe(false)
      }
  })
})
