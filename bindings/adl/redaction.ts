// Finds the values that logs must not hold, in a definition that was read. It loads nothing of reading.
import type { Document } from '../document/document.ts'
import { ARRAY } from '../document/tape.ts'

export interface RedactOptions {
  /** `provider.contact`. True when absent, like the others. */
  readonly contacts?: boolean
  /** `metadata.authors`. */
  readonly authors?: boolean
  /** `system_prompt` and the templates of `prompts`. */
  readonly prompts?: boolean
}

/** A value that logs do not hold. */
export interface SecretValue {
  readonly pointer: string
  /** Of the document's tape. */
  readonly entry: number
}

/** The values that logs must not hold, in the order of the options. */
export function secretValues(
  { tape }: Document,
  { contacts = true, authors = true, prompts = true }: RedactOptions = {},
): readonly SecretValue[] {
  const found: SecretValue[] = []
  const add = (pointer: string, tokens: readonly string[], from = 0) => {
    const entry = tape.find(tokens, from)
    if (entry >= 0) found.push({ pointer, entry })
  }
  if (contacts) add('/provider/contact', ['provider', 'contact'])
  if (authors) add('/metadata/authors', ['metadata', 'authors'])
  if (!prompts) return found
  add('/system_prompt', ['system_prompt'])
  const list = tape.find(['prompts'])
  if (list < 0) return found
  if (tape.kind(list) !== ARRAY) add('/prompts', ['prompts'])
  // From each prompt on: from the document on, a list of very many would be counted through for each of them.
  else for (const [i, prompt] of tape.children(list).entries()) add(`/prompts/${i}/template`, ['template'], prompt)
  return found
}
