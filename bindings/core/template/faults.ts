// The words for each fault of a template or its values.
import { diagnose, Lines } from '../../document/diagnose.ts'
import { characterAt, found, hex, placeText as place } from '../../document/faults.ts'
import type { FindingKind } from '../../document/finding.ts'
import { LIMIT_SIZE } from '../../document/findings.ts'
import type { Diagnostic, Fix } from '../../document/types.ts'
import { TEMPLATE_CHARACTER, TEMPLATE_EMPTY, TEMPLATE_START, TEMPLATE_UNCLOSED } from '../../wasm/faults.ts'
import type { TemplateFault } from '../../wasm/template.ts'
import { utf8Length } from '../../wasm/utf8.ts'
import * as FINDINGS from '../findings.ts'

/** The reason why a value is refused. */
export interface Refusal {
  readonly kind: FindingKind
  readonly detail: string
}

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
    return this.#diagnose(LIMIT_SIZE, 0, 0, `the template has more than ${limit} bytes`)
  }

  /** A fault of the core as a diagnostic. */
  malformed({ code, offset, found: at }: TemplateFault): Diagnostic {
    const { bytes } = this.lines
    const end = Math.min(bytes.length, at + utf8Length(characterAt(bytes, at) ?? ' '))
    const came = character(bytes, at)
    switch (code) {
      case TEMPLATE_UNCLOSED:
        return this.#diagnose(FINDINGS.TEMPLATE_UNCLOSED, offset, end, `expected }} behind the name, found ${came}`, {
          fix: ESCAPE,
        })
      case TEMPLATE_EMPTY:
        return this.#diagnose(
          FINDINGS.TEMPLATE_EMPTY_NAME,
          offset,
          end,
          'expected a name between {{ and }}, found none',
          { fix: ESCAPE },
        )
      case TEMPLATE_START:
        return this.#diagnose(
          FINDINGS.TEMPLATE_NAME_START,
          offset,
          end,
          `expected a letter behind {{, found ${came}`,
          this.#fix(offset),
        )
      case TEMPLATE_CHARACTER: {
        const detail = `expected letters, digits, _ and then }}, found ${came}`
        return this.#diagnose(FINDINGS.TEMPLATE_NAME_CHARACTER, offset, end, detail, this.#fix(offset))
      }
      default: {
        const detail = `the byte ${hex(bytes[offset]!)} at offset ${offset} does not begin a character in UTF-8`
        return this.#diagnose(FINDINGS.TEMPLATE_UTF_8, offset, end, detail)
      }
    }
  }

  /** A lone surrogate in a template that was passed as a string. */
  loneSurrogate(offset: number): Diagnostic {
    const detail = `half of a surrogate pair at offset ${offset} has no UTF-8`
    return this.#diagnose(FINDINGS.TEMPLATE_UTF_8, offset, offset, detail)
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
    return this.#diagnose(FINDINGS.TEMPLATE_UNDEFINED, first, first + name.length + 4, detail, more)
  }

  /** A refused value; `offset` is the offset of the first reference to it. */
  value({ kind, detail }: Refusal, name: string, offset: number): Diagnostic {
    return this.#diagnose(kind, offset, offset + name.length + 4, detail, { pointer: `/${name}` })
  }

  outputTooLong(limit: number): Diagnostic {
    return this.#diagnose(FINDINGS.LIMIT_OUTPUT, 0, 0, `the output would have more than ${limit} bytes`)
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
