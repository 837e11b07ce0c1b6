import { parse } from '../../document/parse.ts'
import { escapeToken, isObject, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { utf8Length } from '../../wasm/instance.ts'

export declare namespace Template {
  type Rendering<Value = unknown> = { readonly value: Value } | { readonly fault: TemplateFault }

  /**
   * - `json`: the text must become JSON. Values between quotes are escaped; outside of quotes they become JSON.
   * - `text`: strings are inserted as they are, other values as JSON.
   * - `value`: as `text`, but a template that is one expression keeps the type of its value.
   */
  type Mode = 'json' | 'text' | 'value'

  type Node = string | Reference | Condition
}

/**
 * Compiles a template for repeated use, or returns its fault.
 *
 * @example
 * const body = compileTemplate('{"text": "{{text}}"}')
 * if (body instanceof Template) body.render('json', { text: 'a "b"' }) // { value: '{"text": "a \\"b\\""}' }
 */
export function compileTemplate(text: string): Template | TemplateFault {
  const nodes = parseTemplate(text)
  return 'message' in nodes ? nodes : new Template(nodes)
}

export class Template {
  readonly nodes: readonly Template.Node[]
  readonly #scans: Scans = [new Map(), new Map()]

  /** @internal */
  constructor(nodes: readonly Template.Node[]) {
    this.nodes = nodes
  }

  /** Reads own members of `data` only. The output has at most `limit` bytes; default: 1 MiB. */
  render(mode: 'json' | 'text', data: JsonObject, limit?: number): Template.Rendering<string>
  render(mode: Template.Mode, data: JsonObject, limit?: number): Template.Rendering
  render(mode: Template.Mode, data: JsonObject, limit = LIMITS.bytes): Template.Rendering {
    const [first] = this.nodes
    if (mode === 'value' && this.nodes.length === 1 && typeof first === 'object' && 'path' in first) {
      const value = lookUp(data, first)
      return value === undefined ? { fault: refusal(first, 'it has no value') } : { value }
    }
    const output = new TemplateOutput(mode === 'json', limit, this.#scans)
    const fault = write(this.nodes, data, output) ?? output.finish()
    return fault === undefined ? { value: output.text } : { fault }
  }
}

function write(nodes: readonly Template.Node[], data: JsonObject, output: TemplateOutput): TemplateFault | undefined {
  for (const node of nodes) {
    let fault: TemplateFault | undefined
    if (typeof node === 'string') fault = output.literal(node)
    else if ('test' in node)
      fault = write(isTrue(lookUp(data, node.test)) ? node.whenTrue : node.whenFalse, data, output)
    else {
      const value = lookUp(data, node)
      fault = value === undefined ? refusal(node, 'it has no value') : output.insert(value, node)
    }
    if (fault !== undefined) return fault
  }
  return undefined
}

function lookUp(data: JsonObject, { path }: Reference): unknown {
  let value: unknown = data
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined
    else value = isObject(value) ? member(value, step) : undefined
  }
  return value
}

/** As in Go: false, 0 and whatever is empty or absent are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value)
}

/**
 * Renders every string of a value as a template that keeps types. A fault has the pointer of its string.
 *
 * @example
 * renderAll({ images: '{{json.images}}' }, { json: { images: [1, 2] } }) // { value: { images: [1, 2] } }
 */
export function renderAll(value: unknown, data: JsonObject): Template.Rendering {
  const faults: TemplateFault[] = []
  let free = LIMITS.bytes
  const visit = (part: unknown, pointer: string, depth: number): unknown => {
    if (faults.length > 0) return undefined
    if (depth > LIMITS.depth) return void faults.push({ offset: 0, message: 'the value is too deep', pointer })
    if (Array.isArray(part)) return part.map((item, i) => visit(item, `${pointer}/${i}`, depth + 1))
    if (isObject(part)) {
      const entry = (name: string) => [name, visit(part[name], `${pointer}/${escapeToken(name)}`, depth + 1)]
      return Object.fromEntries(Object.keys(part).map(entry))
    }
    if (typeof part !== 'string') return part
    const template = compileTemplate(part)
    const rendering = template instanceof Template ? template.render('value', data, free) : { fault: template }
    if ('fault' in rendering) return void faults.push({ ...rendering.fault, pointer })
    if (typeof rendering.value === 'string') free -= utf8Length(rendering.value)
    return rendering.value
  }
  const result = visit(value, '', 0)
  return faults[0] === undefined ? { value: result } : { fault: faults[0] }
}

/** A lone surrogate as JSON.stringify writes it. The strict reader refuses it, but JSON allows it. */
const SURROGATE_ESCAPE = /\\ud[89a-f][0-9a-f]{2}/g

/** What JSON escapes in a string. Most values have none of it, and JSON.stringify takes longer. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Where the scan of each text of a template ends, by where it begins. The texts are the same in every rendering. */
type Scans = readonly [outside: Map<string, Scan>, inside: Map<string, Scan>]

interface Scan {
  readonly isInString: boolean
  /** Inside an escape: 5 after the backslash, then the number of missing hexadecimal digits. */
  readonly pending: number
}

function scan(text: string, { isInString, pending }: Scan): Scan {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (!isInString) isInString = unit === QUOTE
    else if (pending > 0) pending = pending < 5 ? pending - 1 : unit === LETTER_U ? 4 : 0
    else if (unit === BACKSLASH) pending = 5
    else isInString = unit !== QUOTE
  }
  return { isInString, pending }
}

/** Collects rendered text of at most `limit` bytes. In JSON, values between quotes are escaped, others become JSON. */
class TemplateOutput {
  text = ''
  #at: Scan = { isInString: false, pending: 0 }
  readonly #isJson: boolean
  readonly #limit: number
  readonly #scans: Scans
  /** Bytes that are left. Until it is exact, each UTF-16 unit counts as three, so most texts are never measured. */
  #free: number
  #isExact = false

  constructor(isJson: boolean, limit: number, scans: Scans) {
    this.#isJson = isJson
    this.#limit = limit
    this.#scans = scans
    this.#free = limit
  }

  literal(text: string): TemplateFault | undefined {
    if (this.#isJson) this.#at = this.#scanned(text)
    return this.#add(text, 0)
  }

  /** Adds a value. No value can end a string. */
  insert(value: unknown, reference: Reference): TemplateFault | undefined {
    const { isInString, pending } = this.#at
    const isToken = this.#isJson && !isInString
    const plain = typeof value === 'string' && !isToken ? value : jsonOf(value)
    if (plain === undefined) return refusal(reference, 'its value has no form in JSON')
    if (pending > 0) return refusal(reference, 'it stands in the middle of an escape')
    // With the spaces no value becomes a part of another token: `1{{n}}` is invalid whatever n is.
    if (isToken) return this.#add(` ${plain} `, reference.offset)
    const isEscaped = isInString && ESCAPED.test(plain)
    return this.#add(isEscaped ? JSON.stringify(plain).slice(1, -1) : plain, reference.offset)
  }

  /** The fault of text that had to become JSON. */
  finish(): TemplateFault | undefined {
    if (!this.#isJson) return undefined
    const checked = this.text.includes('\\ud') ? this.text.replace(SURROGATE_ESCAPE, '\\ufffd') : this.text
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

  #scanned(text: string): Scan {
    const { isInString, pending } = this.#at
    if (pending > 0) return scan(text, this.#at)
    const ends = this.#scans[isInString ? 1 : 0]
    const known = ends.get(text)
    if (known !== undefined) return known
    const end = scan(text, this.#at)
    ends.set(text, end)
    return end
  }
}

function refusal({ source, offset }: Reference, reason: string): TemplateFault {
  return { offset, message: `{{${source}}}: ${reason}` }
}

/** Undefined for a value that JSON cannot express: a function, a cycle, nesting that exhausts the stack. */
export function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

// The templates of AgentLang: `{{name}}`, `{{.env.NAME}}`, `{{list[0].name}}`, `{{if name}}...{{else}}...{{end}}`.
// They look like Go's text/template, but names need no dot, and there are no functions and no pipelines.

export interface TemplateFault {
  /** In UTF-16 units; counts in `text` if that is present, otherwise in the template. */
  readonly offset: number
  readonly message: string
  /** The rendered text, if that is what is wrong. */
  readonly text?: string
  /** The place of the template in a larger value. */
  readonly pointer?: string
}

/** An expression such as `messages[0].url`, whose value is inserted. */
export interface Reference {
  readonly source: string
  readonly path: readonly (string | number)[]
  readonly offset: number
}

interface Condition {
  readonly test: Reference
  readonly whenTrue: Template.Node[]
  readonly whenFalse: Template.Node[]
}

/** Limits of a template and of its output. */
const LIMITS = { bytes: 1024 * 1024, depth: 16 }
const LONGEST_TAG = 512

const EXPRESSION = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d{1,6}\])*$/
/** Go writes a literal `{{` so. */
const ESCAPE = '"{{"'

/** The nodes of a template, or its first fault. */
export function parseTemplate(text: string): readonly Template.Node[] | TemplateFault {
  if (text.length > LIMITS.bytes) return { offset: 0, message: 'the template is longer than 1 MiB' }
  const root: Template.Node[] = []
  const open: { readonly condition: Condition; readonly offset: number; readonly around: Template.Node[] }[] = []
  let [nodes, at, isTrimmed] = [root, 0, false]
  const addText = (literal: string, trimsEnd: boolean) => {
    const start = isTrimmed ? literal.trimStart() : literal
    const trimmed = trimsEnd ? start.trimEnd() : start
    if (trimmed !== '') nodes.push(trimmed)
  }
  for (let offset = text.indexOf('{{'); offset >= 0; offset = text.indexOf('{{', at)) {
    const end = text.indexOf('}}', offset)
    if (end < 0) return { offset, message: 'the tag is not closed: }} is missing' }
    const inside = text.slice(offset + 2, end)
    if (inside.length > LONGEST_TAG) return { offset, message: `the tag is longer than ${LONGEST_TAG} characters` }
    const trimsBefore = /^-\s/.test(inside)
    addText(text.slice(at, offset), trimsBefore)
    isTrimmed = /\s-$/.test(inside)
    at = end + 2
    const tag = inside.slice(trimsBefore ? 1 : 0, isTrimmed ? -1 : undefined).trim()
    const innermost = open.at(-1)
    if (tag === ESCAPE) nodes.push('{{')
    else if (tag === 'else') {
      if (innermost === undefined || nodes === innermost.condition.whenFalse) {
        return { offset, message: 'this else has no if' }
      }
      nodes = innermost.condition.whenFalse
    } else if (tag === 'end') {
      if (innermost === undefined) return { offset, message: 'this end has no if' }
      nodes = open.pop()!.around
    } else {
      const isCondition = /^if\s/.test(tag)
      const reference = readReference(isCondition ? tag.slice(2).trim() : tag, offset)
      if ('message' in reference) return reference
      if (!isCondition) nodes.push(reference)
      else if (open.length === LIMITS.depth) return { offset, message: `more than ${LIMITS.depth} conditions are open` }
      else {
        const condition: Condition = { test: reference, whenTrue: [], whenFalse: [] }
        nodes.push(condition)
        open.push({ condition, offset, around: nodes })
        nodes = condition.whenTrue
      }
    }
  }
  addText(text.slice(at), false)
  const unclosed = open.at(-1)
  return unclosed ? { offset: unclosed.offset, message: 'this if is not closed: {{end}} is missing' } : root
}

function readReference(source: string, offset: number): Reference | TemplateFault {
  if (!EXPRESSION.test(source) || ['if', 'else', 'end'].includes(source))
    return { offset, message: `expected a name such as item.url or items[0], found ${quoted(source)}` }
  const path = source.match(/[A-Za-z_]\w*|\d+/g)!.map((step) => (/^\d/.test(step) ? Number(step) : step))
  if (path.length > LIMITS.depth) return { offset, message: `the name has more than ${LIMITS.depth} parts` }
  return { source, path, offset }
}
