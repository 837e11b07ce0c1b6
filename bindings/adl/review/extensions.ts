import { isObject, type JsonObject } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import type { Agent } from '../agent.ts'

/** Members whose content is not part of the definition: inside them, `x_` has no special meaning. */
const FOREIGN = new Set([
  'parameters',
  'returns',
  'schema',
  'arguments',
  'input',
  'output',
  'variables',
  'default',
  'annotations',
])

/** The JSON Pointers of extension members (ADL 4.3), only the outermost ones. */
export function extensions(agent: Agent): string[] {
  const found: string[] = []
  const stack: { readonly value: JsonObject | readonly unknown[]; readonly pointer: string }[] = [agent.root]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, pointer } = next
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const place = `${pointer}/${isList ? name : escapeToken(name)}`
      if (!isList && name.startsWith('x_')) found.push(place)
      else if ((isObject(inner) || Array.isArray(inner)) && (isList || !FOREIGN.has(name)))
        stack.push({ value: inner, pointer: place })
    }
  }
  return found
}
