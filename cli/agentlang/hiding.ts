// Keeps what the user grants to a run out of all that its command writes.
import { Redactor, SHORTEST_SECRET } from '../../bindings/host/run/redactor.ts'
import type { Tools } from '../command.ts'
import { UsageError } from '../usage.ts'

/** A value that can be kept out of what a run writes. */
export function longEnough(option: string, name: string, value: string): string {
  if (value.trim().length >= SHORTEST_SECRET) return value
  const message = `--${option}: ${name} has under ${SHORTEST_SECRET} characters, so it cannot be hidden in what is written`
  throw new UsageError('invalid-value', message, 'a value that is not a secret can stand in agent.yaml')
}

export interface Hiding {
  cleaned<Value>(value: Value): Value
}

/** The same context, whose output has no secret. */
export function hiding<Own extends Tools>(context: Own, secrets: Readonly<Record<string, string>>) {
  const redactor = new Redactor(secrets)
  const cleaned: Hiding['cleaned'] = (value) => redactor.clean(value)
  const print: Tools['print'] = (...chunks) =>
    context.print(...chunks.map((chunk) => (typeof chunk === 'string' ? cleaned(chunk) : chunk)))
  const say: Tools['say'] = (line) => context.say(cleaned(line))
  const note: Tools['note'] = (line) => context.note(cleaned(line))
  return { context: { ...context, print, say, note }, cleaned }
}

export function cleanedError(error: unknown, cleaned: Hiding['cleaned']): unknown {
  if (error instanceof UsageError) return new UsageError(error.code, cleaned(error.message), cleaned(error.hint))
  if (error instanceof Error) Object.assign(error, { message: cleaned(error.message), stack: cleaned(error.stack) })
  return error
}
