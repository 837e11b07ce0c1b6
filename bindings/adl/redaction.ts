// What logs do not hold, in a definition that was read. Nothing of reading is loaded for it.
import { isObject, type JsonObject, member } from '../document/members.ts'

export interface RedactOptions {
  /** `provider.contact`. True when absent, like the others. */
  readonly contacts?: boolean
  /** `metadata.authors`. */
  readonly authors?: boolean
  /** `system_prompt` and the templates of `prompts`. */
  readonly prompts?: boolean
}

/** JSON Pointers of what logs do not hold, in the order of the options. */
export function secretPointers(
  root: JsonObject,
  { contacts = true, authors = true, prompts = true }: RedactOptions = {},
): readonly string[] {
  const found: string[] = []
  const find = (value: unknown, pointer: string, name: string) => {
    if (isObject(value) && Object.hasOwn(value, name)) found.push(`${pointer}/${name}`)
  }
  if (contacts) find(member(root, 'provider'), '/provider', 'contact')
  if (authors) find(member(root, 'metadata'), '/metadata', 'authors')
  if (!prompts) return found
  find(root, '', 'system_prompt')
  const list = member(root, 'prompts')
  if (!Array.isArray(list)) find(root, '', 'prompts')
  else for (const [i, prompt] of list.entries()) find(prompt, `/prompts/${i}`, 'template')
  return found
}
