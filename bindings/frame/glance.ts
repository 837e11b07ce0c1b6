// Reads only the root members that reveal the kind, before the document's value is built. The kind decides which limits
// apply, so it is needed for a document that exceeds the limits of some kinds.
import type { Document } from '../document/parse.ts'
import { ARRAY, OBJECT, STRING, type Tape } from '../document/tape.ts'
import type { KindRow } from '../kinds.ts'
import { KINDS } from '../tables/kinds.ts'
import type { JsonObject } from '../text/members.ts'

/** The members that reveal kinds. A hostile root may have very many others. */
const TELLING: ReadonlySet<string> = new Set(
  KINDS.flatMap(({ tells }: KindRow) =>
    tells.flatMap(({ has = [], starts = {}, is = {}, each = [] }) => [
      ...has,
      ...Object.keys(starts),
      ...Object.keys(is),
      ...each,
    ]),
  ),
)
/** Texts that reveal a kind are short. */
const MOST_TEXT = 1000

/** The root's members that reveal the kind: texts are kept, objects and lists are left almost empty. */
export function glance({ tape }: Document): JsonObject | undefined {
  return tape.kind(0) === OBJECT ? shallow(tape, 0, elementsOf) : undefined
}

type Part = (tape: Tape, value: number) => unknown

function shallow(tape: Tape, object: number, list: Part): JsonObject {
  const members: [string, unknown][] = []
  for (const name of tape.children(object)) {
    const text = tape.end(name) - tape.start(name) > MOST_TEXT ? '' : tape.text(name)
    if (TELLING.has(text)) members.push([text, part(tape, name + 1, list)])
  }
  return Object.fromEntries(members)
}

function part(tape: Tape, value: number, list: Part): unknown {
  const kind = tape.kind(value)
  if (kind === STRING) return tape.end(value) - tape.start(value) > MOST_TEXT ? '' : tape.text(value)
  return kind === OBJECT ? {} : kind === ARRAY ? list(tape, value) : null
}

function elementsOf(tape: Tape, array: number): readonly JsonObject[] {
  const objects = tape.children(array).filter((element) => tape.kind(element) === OBJECT)
  return objects.map((element) => shallow(tape, element, () => []))
}

/** Matches `name: value` at the beginning of a line: a root member, where the root is a block mapping. */
const LINE = /^(?:"([^"\\\n]{1,99})"|'([^'\n]{1,99})'|([\w$][\w$.-]{0,98}))[ \t]*:(?:[ \t]+(.*))?\r?$/gm
/** Matches the first item of a list that follows a name without a value on its own line. */
const ITEM = /(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*-[ \t]/y

/**
 * The same for YAML, from its text: building a tree of 1 MB takes a second. Only the choice of limits depends on the
 * result.
 */
export function glanceYaml(text: string): JsonObject {
  const members: [string, unknown][] = []
  for (const { 0: line, 1: double, 2: single, 3: plain, 4: value = '', index } of text.matchAll(LINE)) {
    const name = (double ?? single ?? plain)!
    if (TELLING.has(name)) members.push([name, scalarOf(value, text, index + line.length + 1)])
  }
  return Object.fromEntries(members)
}

function scalarOf(written: string, text: string, next: number): unknown {
  const value = written.replace(/(?:^|[ \t])#.*$/, '').trim()
  if (value === '') {
    ITEM.lastIndex = next
    return ITEM.test(text) ? [] : {}
  }
  return value.startsWith('[') ? [] : value.replace(/^(["'])(.*)\1$/, '$2')
}
