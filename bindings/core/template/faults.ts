// The words for each fault of a template or its values.
import { diagnose } from '../../document/diagnose.ts'
import { TOO_LARGE } from '../../document/faults.ts'
import type { FindingKind } from '../../document/finding.ts'
import { Lines } from '../../document/lines.ts'
import type { Diagnostic, Fix } from '../../document/types.ts'
import { characterAt, found, hex, place } from '../../document/wording.ts'
import { TEMPLATE_CHARACTER, TEMPLATE_EMPTY, TEMPLATE_START, TEMPLATE_UNCLOSED } from '../../wasm/faults.ts'
import type { TemplateFault } from '../../wasm/template.ts'
import { utf8Length } from '../../wasm/utf8.ts'

/** The reason why a value is refused. */
export interface Refusal {
  readonly kind: FindingKind
  readonly detail: string
}

const SYNTAX = 'ADL appendix D, template-var'
const severity = 'error'

const UNCLOSED: FindingKind = {
  id: 'template/unclosed',
  code: 'DOC-150',
  title: 'Reference that does not end',
  section: SYNTAX,
  severity,
}
const EMPTY: FindingKind = {
  id: 'template/empty-name',
  code: 'DOC-151',
  title: 'Reference without a name',
  section: SYNTAX,
  severity,
}
const START: FindingKind = {
  id: 'template/name-start',
  code: 'DOC-152',
  title: 'Name that does not begin with a letter',
  section: SYNTAX,
  severity,
}
const CHARACTER: FindingKind = {
  id: 'template/name-character',
  code: 'DOC-153',
  title: 'Character that no name holds',
  section: SYNTAX,
  severity,
}
const ENCODING: FindingKind = {
  id: 'template/utf-8',
  code: 'DOC-154',
  title: 'Template that is not UTF-8',
  section: 'RFC 3629 section 4',
  severity,
}
const UNDEFINED: FindingKind = {
  id: 'template/undefined',
  code: 'DOC-155',
  title: 'Undefined variable',
  section: 'ADL section 7.2',
  severity,
}
export const VALUE: FindingKind = {
  id: 'template/value',
  code: 'DOC-156',
  title: 'Value that has no text',
  section: 'ADL section 7.2',
  severity,
}
export const DELIMITER: FindingKind = {
  id: 'template/delimiter',
  code: 'DOC-157',
  title: 'Template delimiter in a value',
  section: 'ADL section 18',
  severity,
}
export const VALUE_LENGTH: FindingKind = {
  id: 'limit/value',
  code: 'DOC-158',
  title: 'Value too long',
  section: 'ADL section 18',
  severity,
}
const OUTPUT: FindingKind = {
  id: 'limit/output',
  code: 'DOC-159',
  title: 'Output too long',
  section: 'ADL section 18',
  severity,
}

export const TEMPLATE_KINDS: readonly FindingKind[] = [
  UNCLOSED,
  EMPTY,
  START,
  CHARACTER,
  ENCODING,
  UNDEFINED,
  VALUE,
  DELIMITER,
  VALUE_LENGTH,
  OUTPUT,
]

/** Lists at most this many further uses of an undefined variable; `Template.uses` returns all. */
const LISTED = 20

const ESCAPE: Fix = { hint: 'write \\{{ for two braces that are no reference' }

/** The text of a template, kept for diagnostics. */
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
      case TEMPLATE_UNCLOSED:
        return this.#diagnose(UNCLOSED, offset, end, `expected }} behind the name, found ${came}`, { fix: ESCAPE })
      case TEMPLATE_EMPTY:
        return this.#diagnose(EMPTY, offset, end, 'expected a name between {{ and }}, found none', { fix: ESCAPE })
      case TEMPLATE_START:
        return this.#diagnose(START, offset, end, `expected a letter behind {{, found ${came}`, this.#fix(offset))
      case TEMPLATE_CHARACTER: {
        const detail = `expected letters, digits, _ and then }}, found ${came}`
        return this.#diagnose(CHARACTER, offset, end, detail, this.#fix(offset))
      }
      default: {
        const detail = `the byte ${hex(bytes[offset]!)} at offset ${offset} does not begin a character in UTF-8`
        return this.#diagnose(ENCODING, offset, end, detail)
      }
    }
  }

  /** A lone surrogate in a template that was passed as a string. */
  loneSurrogate(offset: number): Diagnostic {
    const detail = `half of a surrogate pair at offset ${offset} has no UTF-8`
    return this.#diagnose(ENCODING, offset, offset, detail)
  }

  /** A variable without a value; `offsets` are the offsets of its references. */
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

  /** A refused value; `offset` is the offset of the first reference to it. */
  value({ kind, detail }: Refusal, name: string, offset: number): Diagnostic {
    return this.#diagnose(kind, offset, offset + name.length + 4, detail, { pointer: `/${name}` })
  }

  outputTooLong(limit: number): Diagnostic {
    return this.#diagnose(OUTPUT, 0, 0, `the output would have more than ${limit} bytes`)
  }

  /** Removes the spaces in `{{ name }}`, which other template languages allow. */
  #fix(offset: number): { fix: Fix } {
    const text = new TextDecoder().decode(this.lines.bytes.subarray(offset, offset + 256))
    const spaced = /^\{\{[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*\}\}/.exec(text)
    if (spaced === null) return { fix: ESCAPE }
    const edit = { offset, endOffset: offset + spaced[0].length, text: `{{${spaced[1]}}}` }
    return { fix: { hint: 'leave out the spaces between the braces and the name', edits: [edit] } }
  }
}

/** The character at a byte, in words. */
function character(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return 'the end of the template'
  if (bytes[at] === 0x20) return 'a space'
  return bytes[at] === 0x22 ? '`"`' : found(bytes, at, at + 1)
}
