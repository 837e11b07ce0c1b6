// What logs do not hold, taken out of a definition that was read. Nothing of reading is loaded for it.
import { isObject, type JsonObject, member } from '../document/members.ts'

/** What stands where something was taken out. */
export const REDACTED = '[redacted]'

export interface RedactOptions {
  /** `provider.contact`. True when absent, like the others. */
  readonly contacts?: boolean
  /** `metadata.authors`. */
  readonly authors?: boolean
  /** `system_prompt` and the templates of `prompts`. */
  readonly prompts?: boolean
}

export interface Redacted {
  /** The definition without what was taken out; shares the rest with the document. */
  readonly value: JsonObject
  /** JSON Pointers of what was taken out, in the order of the options. */
  readonly removed: readonly string[]
}

/** The definition of an agent without what logs do not hold. */
export function redactAgent(root: JsonObject, options: RedactOptions): Redacted {
  const { contacts = true, authors = true, prompts = true } = options
  const value = { ...root }
  const removed: string[] = []
  /** Takes a member out of an object that the caller has copied. */
  const remove = (from: Record<string, unknown>, name: string, pointer: string) => {
    if (!Object.hasOwn(from, name)) return
    from[name] = REDACTED
    removed.push(`${pointer}/${name}`)
  }
  const copy = (name: string): Record<string, unknown> => {
    const inner = member(value, name)
    if (!isObject(inner)) return {}
    const copied = { ...inner }
    value[name] = copied
    return copied
  }
  if (contacts) remove(copy('provider'), 'contact', '/provider')
  if (authors) remove(copy('metadata'), 'authors', '/metadata')
  if (!prompts) return { value, removed }
  remove(value, 'system_prompt', '')
  const list = member(value, 'prompts')
  if (!Array.isArray(list)) {
    remove(value, 'prompts', '')
    return { value, removed }
  }
  value['prompts'] = list.map((prompt: unknown, i) => {
    if (!isObject(prompt)) return prompt
    const copied = { ...prompt }
    remove(copied, 'template', `/prompts/${i}`)
    return copied
  })
  return { value, removed }
}
