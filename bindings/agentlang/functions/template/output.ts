import { parse } from '../../../document/parse.ts'
import { utf8Length } from '../../../wasm/utf8.ts'
import type { Reference, TemplateFault } from './parse.ts'

/** A lone surrogate as JSON.stringify writes it. The strict reader refuses it, but JSON allows it. */
const SURROGATE_ESCAPE = /\\ud[89a-f][0-9a-f]{2}/g

/** What JSON escapes in a string. Most values have none of it, and JSON.stringify takes longer. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Collects rendered text of at most `limit` bytes. In JSON, values between quotes are escaped, others become JSON. */
export class TemplateOutput {
  text = ''
  #isInString = false
  /** Inside an escape: 5 after the backslash, then the number of missing hexadecimal digits. */
  #escape = 0
  readonly #isJson: boolean
  readonly #limit: number
  /** Bytes that are left. Until it is exact, each UTF-16 unit counts as three, so most texts are never measured. */
  #free: number
  #isExact = false

  constructor(isJson: boolean, limit: number) {
    this.#isJson = isJson
    this.#limit = limit
    this.#free = limit
  }

  /** Adds text of the template. */
  literal(text: string): TemplateFault | undefined {
    if (this.#isJson) this.#scan(text)
    return this.#add(text, 0)
  }

  /** Adds a value. No value can end a string. */
  insert(value: unknown, reference: Reference): TemplateFault | undefined {
    const isToken = this.#isJson && !this.#isInString
    const plain = typeof value === 'string' && !isToken ? value : jsonOf(value)
    if (plain === undefined) return refusal(reference, 'its value has no form in JSON')
    if (this.#escape > 0) return refusal(reference, 'it stands in the middle of an escape')
    // With the spaces no value becomes a part of another token: `1{{n}}` is invalid whatever n is.
    if (isToken) return this.#add(` ${plain} `, reference.offset)
    const isEscaped = this.#isInString && ESCAPED.test(plain)
    return this.#add(isEscaped ? JSON.stringify(plain).slice(1, -1) : plain, reference.offset)
  }

  /** The fault of text that had to become JSON. */
  finish(): TemplateFault | undefined {
    if (!this.#isJson) return undefined
    const checked = this.text.replace(SURROGATE_ESCAPE, '\\ufffd')
    const fault = parse(checked, { maxDepth: 64 }).diagnostics.find(({ severity }) => severity === 'error')
    if (fault === undefined) return undefined
    const offset = decoder.decode(encoder.encode(checked).subarray(0, fault.source.offset)).length
    return { offset, message: `the rendered text is not valid JSON: ${fault.detail}`, text: this.text }
  }

  #add(text: string, offset: number): TemplateFault | undefined {
    if (!this.#isExact && 3 * text.length > this.#free) {
      this.#isExact = true
      this.#free = this.#limit - utf8Length(this.text)
    }
    this.#free -= this.#isExact ? utf8Length(text) : 3 * text.length
    if (this.#free < 0) return { offset, message: 'the rendered text is longer than 1 MiB' }
    this.text += text
    return undefined
  }

  #scan(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (!this.#isInString) this.#isInString = unit === QUOTE
      else if (this.#escape > 0) this.#escape = this.#escape < 5 ? this.#escape - 1 : unit === LETTER_U ? 4 : 0
      else if (unit === BACKSLASH) this.#escape = 5
      else this.#isInString = unit !== QUOTE
    }
  }
}

export function refusal({ source, offset }: Reference, reason: string): TemplateFault {
  return { offset, message: `{{${source}}}: ${reason}` }
}

/** Undefined for a value that JSON cannot express: a function, a cycle, nesting that exhausts the stack. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
