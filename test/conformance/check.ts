import { isDeepStrictEqual } from 'node:util'
import { readAnswer } from './assemble.ts'
import { type Content, contentBytes, type Vector } from './content.ts'
import { splitFrames } from './frames.ts'
import type { Answer, FaultNames } from './recipes/recipe.ts'
import { faultNames } from './vectors.ts'

type Outcome = Record<string, unknown>

/** What a program's answers and the vectors' own expectations disagree on, a line each. */
export function programDisagreements(
  vectors: readonly Vector[],
  calls: readonly number[],
  stream: Uint8Array,
): string[] {
  const answers = readAnswers(stream)
  const names = faultNames()
  return vectors.flatMap((vector, i) => disagreement(vector, read(vector, answers[calls[i]!]!, names)))
}

/** The same for what the public API answered. */
export function bodyDisagreements(vectors: readonly Vector[], outcomes: readonly unknown[]): string[] {
  return vectors.flatMap((vector, i) => disagreement(apiWanted(vector), apiOutcome(vector, outcomes[i] as Outcome)))
}

/** What cannot even be read is one more wrong answer, of one vector. */
function read(vector: Vector, answer: Answer, names: FaultNames): Outcome {
  try {
    return readAnswer(vector, answer, names)
  } catch (error) {
    return { unreadable: String(error), returned: answer.got }
  }
}

/** Records are what was returned and then the outputs: raw.ts. */
function readAnswers(stream: Uint8Array): Answer[] {
  return splitFrames(stream).map((record) => {
    const view = new DataView(record.buffer, record.byteOffset, record.length)
    return { got: view.getInt32(0, true), outputs: splitFrames(record.subarray(4)) }
  })
}

function disagreement(vector: Vector, got: Outcome): string[] {
  const { id, fault, at, first, refused, accepted } = vector
  if (refused === true) return got['fault'] !== undefined ? [] : [`${id}: wanted a refusal, got ${short(got)}`]
  if (accepted === true) return got['fault'] === undefined ? [] : [`${id}: wanted acceptance, got ${short(got)}`]
  const wanted =
    fault === undefined
      ? wantedOf(vector)
      : { fault, ...(at === undefined ? {} : { at }), ...(first === undefined ? {} : { first }) }
  const wrongKind = 'fault' in got !== (fault !== undefined) && Object.keys(wanted).length > 0
  const compared = wrongKind ? got : Object.fromEntries(Object.keys(wanted).map((key) => [key, got[key]]))
  return isDeepStrictEqual(compared, wanted) ? [] : [`${id}: wanted ${short(wanted)}, got ${short(compared)}`]
}

function wantedOf({ gives = {} }: Vector): Outcome {
  if (!('build' in gives) && !('hex' in gives)) return gives
  const { build: _build, hex: _hex, ...rest } = gives
  return { ...rest, text: new TextDecoder().decode(contentBytes(gives as Content)) }
}

/** The API has diagnostics where the export has numbers. */
function apiWanted(vector: Vector): Vector {
  const { gives, fault, ...rest } = vector
  if (fault === 'JSON_POINTER' || fault === 'RANK_SIGNAL' || (fault !== undefined && vector.call === 'formatNumber'))
    return { ...rest, gives: { threw: 'RangeError' } }
  if (fault !== undefined) return { ...rest, fault: 'refused' }
  const { warnings: _inTheTapeOnly, findings, ...known } = gives ?? {}
  if (findings === undefined) return { ...rest, gives: known }
  // The API has words for them.
  return { ...rest, gives: { places: (findings as [string, number, number][]).map(([, at, length]) => [at, length]) } }
}

/** A diagnostic of a document, or a finding of a pattern. */
type Refusal =
  | { readonly source: { readonly offset: number; readonly endOffset: number } }
  | { readonly offset: number; readonly length: number }

function placeOf(refusal: Refusal): [start: number, end: number] {
  if ('source' in refusal) return [refusal.source.offset, refusal.source.endOffset]
  return [refusal.offset, refusal.offset + refusal.length]
}

function apiOutcome(vector: Vector, outcome: Outcome): Outcome {
  const refusals = outcome['refused'] as Refusal[] | undefined
  if (refusals === undefined) {
    const findings = outcome['findings'] as { offset: number; length: number }[] | undefined
    return findings === undefined ? outcome : { places: findings.map(({ offset, length }) => [offset, length]) }
  }
  // A diagnostic marks the whole number or word in which the export names the byte that is wrong.
  const [start, end] = placeOf(refusals[0]!)
  const { at = start, first } = vector
  return { fault: 'refused', at: start <= at && at <= end ? at : start, first }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
