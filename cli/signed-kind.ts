// `sign` and `verify` treat each document by its kind. An option for another kind is a usage error.
import { type Kind, rowOf } from '../bindings/kinds.ts'
import type { Readable } from './reader.ts'
import { UsageError } from './usage.ts'

/** Refuses options for other kinds of documents. `own` maps each option of a single kind to that kind. */
export function expectOptionsFor({ kind, file }: Readable, options: object, own: Readonly<Record<string, Kind>>): void {
  if (kind === undefined) return
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false)
  const wrong = given.map(([name]) => name).find((name) => own[name] !== undefined && own[name] !== kind)
  if (wrong === undefined) return
  const message = `--${wrong} is for ${rowOf(own[wrong]!).plural}, but ${file} is one of the ${rowOf(kind).plural}`
  throw new UsageError('wrong-kind', message, `leave out --${wrong}`)
}
