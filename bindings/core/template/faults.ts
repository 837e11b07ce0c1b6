// One row for everything that can be wrong with a template or its values: the words.
import { diagnose, type FindingKind } from '../../document/diagnose.ts'
import { TOO_LARGE } from '../../document/faults.ts'
import { Lines } from '../../document/lines.ts'
import type { Diagnostic, Fix } from '../../document/types.ts'
import { characterAt, found, hex, place } from '../../document/wording.ts'
import type { TemplateFault } from '../../wasm/template.ts'
import { utf8Length } from '../../wasm/utf8.ts'

/** A value that is refused, and why. */
export interface Refusal {
  readonly kind: FindingKind
  readonly detail: string
}

const SYNTAX = 'ADL appendix D, template-var'

function kind(code: string, rule: string, title: string, spec: string): FindingKind {
  return { code, rule, title, spec, severity: 'error' }
}

const UNCLOSED = kind('DOC-150', 'template/unclosed', 'Reference that does not end', SYNTAX)
const EMPTY = kind('DOC-151', 'template/empty-name', 'Reference without a name', SYNTAX)
const START = kind('DOC-152', 'template/name-start', 'Name that does not begin with a letter', SYNTAX)
const CHARACTER = kind('DOC-153', 'template/name-character', 'Character that no name holds', SYNTAX)
const ENCODING = kind('DOC-154', 'template/utf-8', 'Template that is not UTF-8', 'RFC 3629 section 4')
const UNDEFINED = kind('DOC-155', 'template/undefined', 'Undefined variable', 'ADL section 7.2')
export const VALUE = kind('DOC-156', 'template/value', 'Value that has no text', 'ADL section 7.2')
export const DELIMITER = kind('DOC-157', 'template/delimiter', 'Template delimiter in a value', 'ADL section 18')
export const VALUE_LENGTH = kind('DOC-158', 'limit/value', 'Value too long', 'ADL section 18')
const OUTPUT = kind('DOC-159', 'limit/output', 'Output too long', 'ADL section 18')

/** More uses than this of one undefined variable are counted and not listed: `Template.uses` gives all. */
const LISTED = 20

const ESCAPE: Fix = { hint: 'write \\{{ for two braces that are no reference' }

/** The text of a template, for those who have something to say about it. */
export class TemplateSource {
  readonly lines: Lines
  readonly file: string | undefined

  constructor(text: Uint8Array | string, file: string | undefined) {
    this.lines = new Lines(typeof text === 'string' ? new TextEncoder().encode(text) : text)
    this.file = file
  }

  #diagnose(kind: FindingKind, offset: number, endOffset: number, detail: string, more: object = {}): Diagnostic {
    return diagnose(this.lines, kind, { pointer: '', offset, endOffset, detail, ...more }, this.file)
  }

  tooLarge(limit: number): Diagnostic {
    return this.#diagnose(TOO_LARGE, 0, 0, `the template has more than ${limit} bytes`)
  }

  /** A fault of the core as a diagnostic. */
  malformed({ code, offset, found: at }: TemplateFault): Diagnostic {
    const { bytes } = this.lines
    const end = Math.min(bytes.length, at + utf8Length(characterAt(bytes, at) ?? ' '))
    const came = character(bytes, at)
    switch (code) {
      case -50:
        return this.#diagnose(UNCLOSED, offset, end, `expected }} behind the name, found ${came}`, { fix: ESCAPE })
      case -51:
        return this.#diagnose(EMPTY, offset, end, 'expected a name between {{ and }}, found none', { fix: ESCAPE })
      case -52:
        return this.#diagnose(START, offset, end, `expected a letter behind {{, found ${came}`, this.#fix(offset))
      case -53: {
        const detail = `expected letters, digits, _ and then }}, found ${came}`
        return this.#diagnose(CHARACTER, offset, end, detail, this.#fix(offset))
      }
      default: {
        const detail = `the byte ${hex(bytes[offset]!)} at offset ${offset} does not begin a character in UTF-8`
        return this.#diagnose(ENCODING, offset, end, detail)
      }
    }
  }

  /** Half of a surrogate pair in a template that came as text. */
  loneSurrogate(offset: number): Diagnostic {
    const detail = `half of a surrogate pair at offset ${offset} has no UTF-8`
    return this.#diagnose(ENCODING, offset, offset, detail)
  }

  /** A variable that has no value; `offsets` are those of its references. */
  undefined(name: string, offsets: readonly number[]): Diagnostic {
    const [first, ...others] = offsets as [number, ...number[]]
    const related = others.slice(0, LISTED).map((offset) => ({
      pointer: '',
      message: `also used at ${place(this.lines.position(offset))} (offset ${offset})`,
    }))
    const left = others.length - related.length
    if (left > 0) related.push({ pointer: '', message: `and ${left} more times` })
    const detail = `the variable ${name} has no value`
    const more = related.length > 0 ? { pointer: `/${name}`, related } : { pointer: `/${name}` }
    return this.#diagnose(UNDEFINED, first, first + name.length + 4, detail, more)
  }

  /** A value that is refused; `offset` is that of the first reference to it. */
  value({ kind, detail }: Refusal, name: string, offset: number): Diagnostic {
    return this.#diagnose(kind, offset, offset + name.length + 4, detail, { pointer: `/${name}` })
  }

  outputTooLong(limit: number): Diagnostic {
    return this.#diagnose(OUTPUT, 0, 0, `the output would have more than ${limit} bytes`)
  }

  /** Takes the spaces out of `{{ name }}`, which other template languages allow. */
  #fix(offset: number): { fix: Fix } {
    const text = new TextDecoder().decode(this.lines.bytes.subarray(offset, offset + 256))
    const spaced = /^\{\{[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*\}\}/.exec(text)
    if (spaced === null) return { fix: ESCAPE }
    const edit = { offset, endOffset: offset + spaced[0].length, text: `{{${spaced[1]}}}` }
    return { fix: { hint: 'leave out the spaces between the braces and the name', edits: [edit] } }
  }
}

/** What stands at a byte, in words. */
function character(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return 'the end of the template'
  if (bytes[at] === 0x20) return 'a space'
  return bytes[at] === 0x22 ? '`"`' : found(bytes, at, at + 1)
}
