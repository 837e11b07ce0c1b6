import { nameOf } from '../core/patterns.ts'
import { toError } from './messages.ts'
import type { Node } from './node.ts'
import { ROOT } from './place.ts'
import { Halt, Run } from './run.ts'
import type { SchemaError, SchemaLimits } from './types.ts'

/** A schema that checks values, made by `compileSchema`. */
export class CompiledSchema {
  readonly #root: Node

  /** @internal */
  constructor(root: Node) {
    this.#root = root
  }

  /**
   * The errors of a value; none when it is valid. A check that stops at a limit reports an error whose keyword is
   * `limit`, so that no value passes unchecked.
   *
   * @example
   * schema.validate({ city: 7 })[0]?.message // 'expected string, found number'
   *
   * @throws {RangeError} when an option is not a whole number above 0.
   */
  validate(value: unknown, options: SchemaLimits = {}): SchemaError[] {
    const maxErrors = positive('maxErrors', options.maxErrors ?? 100)
    const maxSteps = positive('maxSteps', options.maxSteps ?? 1_000_000)
    const begin = () => new Run(this.#root.resource, maxSteps, maxErrors)
    // Most values are valid, and finding that out is cheapest without tracking places.
    try {
      if (this.#root.check(value, undefined, undefined, begin())) return []
    } catch (error) {
      if (!(error instanceof Halt)) throw error
    }
    const run = begin()
    try {
      this.#root.check(value, ROOT, undefined, run)
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      const { limit } = error
      const source = { keyword: 'limit', place: this.#root.place, document: '' }
      if (limit !== 'errors') run.findings.push({ at: run.near, source, params: { limit } })
    }
    return run.findings.map(toError)
  }
}

function positive(name: string, value: unknown): number {
  if (Number.isInteger(value) && (value as number) > 0) return value as number
  throw new RangeError(
    `${name}: expected a whole number above 0, got ${typeof value === 'number' ? value : nameOf(value)}`,
  )
}
