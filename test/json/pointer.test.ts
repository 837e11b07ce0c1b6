import { beforeAll, describe, expect, test } from 'vitest'
import { instance } from '../../bindings/wasm/instance.ts'
import { BUILDS } from '../support/builds.ts'
import { documents } from '../support/documents.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const ABSENT = -1000
const BAD = -23

/** The exports as a host without bindings would use them. */
function open(document: string) {
  const core = instance()
  const bytes = encode(document)
  const count = core.exports.readTape(core.write(bytes), 1024)
  core.renew()
  const tape = core.words.slice(core.word(0) >>> 2, (core.word(0) >>> 2) + 4 * count)
  return {
    count,
    tape,
    text: (entry: number) => decode(bytes.subarray(tape[4 * entry], tape[4 * entry + 1])),
    find(pointer: string): number {
      const text = encode(pointer)
      const at = core.exports.take(text.length) >>> 0
      core.renew()
      core.bytes.set(text, at)
      return core.exports.tapeFind(at, text.length)
    },
    at: (offset: number) => core.exports.tapeAtOffset(offset),
    pointer(entry: number): string | number {
      const length = core.exports.tapePointer(entry)
      core.renew()
      return length < 0 ? length : decode(core.view(core.word(0), length))
    },
  }
}

describe.each(BUILDS)('$name', ({ name, use }) => {
  beforeAll(use)

  test.runIf(hasSuite('rfc-vectors'))('[rfc6901/4-1] the table of RFC 6901 section 5', () => {
    const { document, pointers } = JSON.parse(decode(suiteFile('rfc-vectors', 'rfc6901.json')))
    const doc = open(JSON.stringify(document))
    for (const { pointer, value } of pointers) {
      const entry = doc.find(pointer)
      expect(JSON.parse(doc.text(entry)), pointer).toEqual(value)
      expect(doc.pointer(entry)).toBe(pointer)
    }
  })

  test('[rfc6901/4-1] what names nothing, and what is no pointer', () => {
    const doc = open('{"a":[1,{"b":2}],"c":3}')
    for (const pointer of ['/b', '/a/2', '/a/01', '/a/-', '/a/4294967295', '/a/99999999999', '/c/0', '/a/1/b/c', '/']) {
      expect(doc.find(pointer), pointer).toBe(ABSENT)
    }
    for (const pointer of ['a', '/a~', '/a~2', '/x/~x']) expect(doc.find(pointer), pointer).toBe(BAD)
    expect(doc.pointer(doc.count)).toBe(BAD)
    expect(doc.at(99)).toBe(ABSENT)
  })

  test('every value of random documents: entry to pointer to entry, and from its offset', () => {
    const make = documents(name.length + 400)
    for (let i = 0; i < 1500; i++) {
      const source = make.spell(make.value(4))
      const doc = open(source)
      const whole = JSON.parse(source)
      const entries = Array.from({ length: doc.count }, (_, entry) => {
        const isName = (doc.tape[4 * entry + 2]! & 7) === 7
        const pointer = doc.pointer(entry) as string
        const [start, end] = doc.tape.subarray(4 * entry, 4 * entry + 2) as unknown as [number, number]
        const wanted = pointer
          .split('/')
          .slice(1)
          .reduce((v, token) => v[token.replaceAll('~1', '/').replaceAll('~0', '~')] as never, whole)
        return {
          places: [doc.find(pointer), doc.at(start), doc.at(end - 1)],
          wantedPlaces: [isName ? entry + 1 : entry, entry, entry],
          text: isName ? null : JSON.parse(doc.text(entry)),
          wantedText: isName ? null : wanted,
        }
      })
      expect(entries.map(({ places, text }) => [places, text])).toEqual(
        entries.map(({ wantedPlaces, wantedText }) => [wantedPlaces, wantedText]),
      )
    }
  })
})
