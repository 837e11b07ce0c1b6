import { knownRules } from '../../bindings/check.ts'
import { unknownRule } from '../../bindings/frame/known-rules.ts'

/** The first name that neither a rule nor a code has, in words; undefined when all are known. */
export function ruleFault(names: readonly string[]): { name: string; message: string; hint: string } | undefined {
  const unknown = names.length === 0 ? undefined : unknownRule(names, knownRules())
  if (unknown === undefined) return undefined
  const { name, nearest } = unknown
  const hint = nearest === undefined ? 'blazon explain lists all' : `did you mean ${nearest}?`
  return { name, message: `there is no rule or code "${name}"`, hint }
}
