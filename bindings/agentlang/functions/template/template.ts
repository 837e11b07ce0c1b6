import { escapeToken, isObject, type JsonObject, member } from '../../../text/members.ts'
import { utf8Length } from '../../../wasm/utf8.ts'
import { refusal, TemplateOutput } from './output.ts'
import { LIMITS, parseTemplate, type Reference, type TemplateFault, type TemplateNode } from './parse.ts'

/**
 * - `json`: the text must become JSON. Values between quotes are escaped; outside of quotes they become JSON.
 * - `text`: strings are inserted as they are, other values as JSON.
 * - `value`: as `text`, but a template that is one expression keeps the type of its value.
 */
export type TemplateMode = 'json' | 'text' | 'value'

export type Rendering<Value = unknown> = { readonly value: Value } | { readonly fault: TemplateFault }

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
  readonly nodes: readonly TemplateNode[]

  /** @internal */
  constructor(nodes: readonly TemplateNode[]) {
    this.nodes = nodes
  }

  /** Reads own members of `data` only. The output has at most `limit` bytes; default: 1 MiB. */
  render(mode: 'json' | 'text', data: JsonObject, limit?: number): Rendering<string>
  render(mode: TemplateMode, data: JsonObject, limit?: number): Rendering
  render(mode: TemplateMode, data: JsonObject, limit = LIMITS.bytes): Rendering {
    const [first] = this.nodes
    if (mode === 'value' && this.nodes.length === 1 && typeof first === 'object' && 'path' in first) {
      const value = lookUp(data, first)
      return value === undefined ? { fault: refusal(first, 'it has no value') } : { value }
    }
    const output = new TemplateOutput(mode === 'json', limit)
    const fault = write(this.nodes, data, output) ?? output.finish()
    return fault === undefined ? { value: output.text } : { fault }
  }
}

function write(nodes: readonly TemplateNode[], data: JsonObject, output: TemplateOutput): TemplateFault | undefined {
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
export function renderAll(value: unknown, data: JsonObject): Rendering {
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
