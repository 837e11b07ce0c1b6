// `sign` and `verify` treat each document by its kind; an option that means nothing for that kind is a usage error.
import { type Kind, rowOf } from '../bindings/kinds.ts'
import type { Readable } from './reader.ts'
import { UsageError } from './usage.ts'

/**
 * Refuses options for another kind than the document's.
 *
 * @param own options that only documents of one kind have.
 */
export function expectOptionsFor({ kind, file }: Readable, options: object, own: Readonly<Record<string, Kind>>): void {
  if (kind === undefined) return
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false)
  const wrong = given.map(([name]) => name).find((name) => own[name] !== undefined && own[name] !== kind)
  if (wrong === undefined) return
  const message = `--${wrong} is for ${rowOf(own[wrong]!).plural}, and ${file} is one of ${rowOf(kind).plural}`
  throw new UsageError('wrong-kind', message, `leave out --${wrong}`)
}
