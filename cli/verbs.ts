import { suggest } from '../bindings/document/suggest.ts'
import type { Context } from './context.ts'
import { UsageError } from './usage.ts'

/** What the first operand of a command asks for, out of what the command can do, and the operands behind it. */
export function chooseVerb<Verb>(
  { command, positionals: [name, ...operands] }: Context,
  verbs: Readonly<Record<string, Verb>>,
  example: string,
): { readonly name: string; readonly verb: Verb; readonly operands: readonly string[] } {
  if (name !== undefined && Object.hasOwn(verbs, name)) return { name, verb: verbs[name]!, operands }
  const names = Object.keys(verbs)
  const nearest = name === undefined ? undefined : suggest(name, names)
  const hint = nearest === undefined ? `as in ${example}` : `did you mean ${nearest}?`
  const message = `${command.name}: expected ${names.join(', ')}, got ${name ?? 'nothing'}`
  throw new UsageError('unknown-verb', message, hint)
}
