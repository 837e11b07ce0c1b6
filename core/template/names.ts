// The distinct names of a template, numbered in the order of their first use.
//
// They are found through a crit-bit tree (https://cr.yp.to/critbit.html): a look-up costs at most the bits of the
// name, whatever names come. A hash table would let the author of a template choose names that all collide.

import { room, setTop, top } from "../arena";

/** A name: where it stands, its length, how often it was used. */
export const ENTRY: usize = 12;
export const ENTRY_LENGTH: usize = 4;
export const ENTRY_USES: usize = 8;

/** An inner node of the tree: which byte decides, by which bit, and the branches for a clear and for a set bit. */
const NODE: usize = 16;
const NODE_BIT: usize = 4;
const NODE_BRANCHES: usize = 8;

/** Marks a branch that is a name's number and not a node's. */
const LEAF: u32 = 0x80000000;

let entries: usize = 0;
let nodes: usize = 0;
let count: u32 = 0;
let root: u32 = 0;

/** Forgets all names and makes room for as many as `most`. False when there is no memory. */
export function clearNames(most: u32): bool {
  entries = (top() + 3) & ~3;
  nodes = entries + most * ENTRY;
  const end = nodes + most * NODE;
  if (!room(entries, end - entries)) return false;
  setTop(end);
  count = 0;
  return true;
}

export function nameCount(): u32 { return count; }

export function nameEntry(index: u32): usize { return entries + index * ENTRY; }

/** The byte at `i`, zero behind the end: no name holds a zero, so no name is another's beginning. */
// @ts-ignore: decorator
@inline function byteAt(name: usize, length: u32, i: u32): u32 {
  return i < length ? load<u8>(name + i) : 0;
}

/** Address of the branch that `name` takes at `node`. */
// @ts-ignore: decorator
@inline function branch(node: usize, name: usize, length: u32): usize {
  const set = (byteAt(name, length, load<u32>(node)) & load<u32>(node, NODE_BIT)) != 0;
  return node + NODE_BRANCHES + (<usize>set << 2);
}

/** Counts one use of a name and returns its number. */
export function useName(name: usize, length: u32): u32 {
  if (count == 0) {
    root = LEAF;
    return add(name, length);
  }
  let at = root;
  while (!(at & LEAF)) at = load<u32>(branch(nodes + at * NODE, name, length));
  const nearest = nameEntry(at & ~LEAF);
  const other = <usize>load<u32>(nearest);
  const otherLength = load<u32>(nearest, ENTRY_LENGTH);

  let i: u32 = 0;
  const longer = max(length, otherLength);
  while (i < longer && byteAt(name, length, i) == byteAt(other, otherLength, i)) i++;
  if (i == longer) {
    store<u32>(nearest, load<u32>(nearest, ENTRY_USES) + 1, ENTRY_USES);
    return at & ~LEAF;
  }
  const mine = byteAt(name, length, i);
  const bit = <u32>0x80 >> (clz(mine ^ byteAt(other, otherLength, i)) - 24);
  insert(name, length, i, bit, (mine & bit) != 0);
  return add(name, length);
}

/** Puts a node that decides by `bit` of byte `i` where the tree's order wants it, with the next number as its new leaf. */
function insert(name: usize, length: u32, i: u32, bit: u32, set: bool): void {
  // -1 stands for the root; nodes are numbered from 1 so that each new name brings the node of its own number.
  let from: usize = 0;
  let at = root;
  while (!(at & LEAF)) {
    const node = nodes + at * NODE;
    const byte = load<u32>(node);
    if (byte > i || (byte == i && load<u32>(node, NODE_BIT) < bit)) break;
    from = branch(node, name, length);
    at = load<u32>(from);
  }
  const node = nodes + count * NODE;
  store<u32>(node, i);
  store<u32>(node, bit, NODE_BIT);
  store<u32>(node + NODE_BRANCHES + (<usize>set << 2), LEAF | count);
  store<u32>(node + NODE_BRANCHES + (<usize>!set << 2), at);
  if (from) store<u32>(from, count);
  else root = count;
}

function add(name: usize, length: u32): u32 {
  const entry = nameEntry(count);
  store<u32>(entry, <u32>name);
  store<u32>(entry, length, ENTRY_LENGTH);
  store<u32>(entry, 1, ENTRY_USES);
  return count++;
}
