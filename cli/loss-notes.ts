// What a conversion loses, as lines for people.
import type { LossReport } from '../bindings/convert/formats.ts'

/** Outcomes that are listed one by one; the others are only counted. */
const LISTED = ['changed', 'dropped', 'added'] as const

export const isLossy = (loss: LossReport) => loss.some(({ outcome }) => outcome === 'changed' || outcome === 'dropped')

/** A line for each member with a listed outcome, and the count of each outcome. */
export function lossNotes(loss: LossReport): string[] {
  const count = (outcome: string) => loss.filter((row) => row.outcome === outcome).length
  const lines = LISTED.flatMap((outcome) =>
    loss
      .filter((row) => row.outcome === outcome)
      .map(({ file, pointer, target, detail, count = 1 }) => {
        const times = count === 1 ? '' : `, ${count} times`
        return `${outcome.padEnd(7)}  ${file ?? pointer ?? target}: ${detail}${times}`
      }),
  )
  const counts = ['kept', 'renamed', ...LISTED].map((outcome) => `${count(outcome)} ${outcome}`)
  return [...lines, counts.join(', ')]
}
