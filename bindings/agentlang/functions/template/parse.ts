// The templates of AgentLang: `{{name}}`, `{{.env.NAME}}`, `{{list[0].name}}`, `{{if name}}...{{else}}...{{end}}`.
// They look like Go's text/template, but names need no dot, and there are no functions and no pipelines.
import { quoted } from '../../../text/words.ts'

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

export interface Condition {
  readonly test: Reference
  readonly whenTrue: TemplateNode[]
  readonly whenFalse: TemplateNode[]
}

export type TemplateNode = string | Reference | Condition

/** Limits of a template and of its output. */
export const LIMITS = { bytes: 1024 * 1024, depth: 16 }
const LONGEST_TAG = 512

const EXPRESSION = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d{1,6}\])*$/
/** Go writes a literal `{{` so. */
const ESCAPE = '"{{"'

/** The nodes of a template, or its first fault. */
export function parseTemplate(text: string): readonly TemplateNode[] | TemplateFault {
  if (text.length > LIMITS.bytes) return { offset: 0, message: 'the template is longer than 1 MiB' }
  const root: TemplateNode[] = []
  const open: { readonly condition: Condition; readonly offset: number; readonly around: TemplateNode[] }[] = []
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
  if (!EXPRESSION.test(source) || ['if', 'else', 'end'].includes(source)) {
    return { offset, message: `expected a name such as item.url or items[0], found ${quoted(source)}` }
  }
  const path = source.match(/[A-Za-z_]\w*|\d+/g)!.map((step) => (/^\d/.test(step) ? Number(step) : step))
  if (path.length > LIMITS.depth) return { offset, message: `the name has more than ${LIMITS.depth} parts` }
  return { source, path, offset }
}
