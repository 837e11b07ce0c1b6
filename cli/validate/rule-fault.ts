import { unknownRule } from '../../bindings/frame/verbs.ts'
import { knownRules } from '../../bindings/verbs.ts'

/** Reports the first name that is neither a rule nor a code; undefined if all are known. */
export function ruleFault(names: readonly string[]): { name: string; message: string; hint: string } | undefined {
  const unknown = names.length === 0 ? undefined : unknownRule(names, knownRules())
  if (unknown === undefined) return undefined
  const { name, nearest } = unknown
  const hint = nearest === undefined ? 'blazon explain lists all' : `did you mean ${nearest}?`
  return { name, message: `unknown rule or code "${name}"`, hint }
}
