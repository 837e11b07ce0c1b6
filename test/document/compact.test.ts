import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, removeMember } from '../../bindings/document/fixes.ts'
import { type Document, parse } from '../../bindings/document/parse.ts'
import { formatPointer } from '../../bindings/text/members.ts'

const read = (text: string) => parse(text).document as Document
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const value = fc.jsonValue({ stringUnit: 'binary' }).filter((any) => parse(JSON.stringify(any)).document !== undefined)
const space = fc.constantFrom('', ' ', '\t', '\n  ')

describe('compactJson', () => {
  test('writes the same as JSON.stringify, whatever the white space of the source', () => {
    fc.assert(
      fc.property(value, space, (any, indent) => {
        expect(text(compactJson(read(` ${JSON.stringify(any, null, indent)}\r\n`)))).toBe(JSON.stringify(any))
      }),
    )
  })

  test('keeps quotes and white space inside strings', () => {
    const source = '{"a \\\\\\" b":"\\\\","\\u0022 ":" { , } "}'
    expect(text(compactJson(read(source.replaceAll('":', '" :\n'))))).toBe(source)
  })
})

describe('removeMember', () => {
  test('leaves valid JSON with all other members unchanged', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(names, fc.nat(4), space, (members, which, indent) => {
        const object = Object.fromEntries(members.map((name, i) => [`m${name}`, i % 2 === 0 ? [] : '']))
        const name = `m${members[which % members.length]}`
        const source = JSON.stringify(object, null, indent)
        const [edit] = removeMember(read(source), formatPointer([name])).edits ?? []
        const left = source.slice(0, edit!.offset) + source.slice(edit!.endOffset)
        const { [name]: _, ...others } = object
        expect(JSON.parse(left)).toEqual(others)
        if (members.length > 1) expect(left).toBe(JSON.stringify(others, null, indent))
      }),
    )
  })
})
