import type { Api } from './body.ts'
import type { Vector } from './content.ts'
import type { Step } from './recipes/index.ts'

/** The API takes records; cards by their bytes are for the export alone. */
export type ApiStep = Exclude<Step, { add: unknown }>

/** Why the API did not take a card, as `runBody` reports what is refused. */
export interface Refused {
  readonly refused: readonly { readonly offset: number; readonly length: number }[]
}

/** Takes a step; where a card is not taken, why not. */
export function take(api: Api, index: Api, step: ApiStep): { index: Api; outcome?: Refused | { replaced: boolean } } {
  if ('set' in step) index['setSignals'](step.set, step.signals)
  else if ('remove' in step) index['remove'](step.remove)
  else if ('reload' in step) return { index: api['loadIndex'](index['save']()).index }
  else {
    const answer = index['addRecord'](step.record, step.signals ?? {})
    if (answer.ok) return { index, outcome: { replaced: answer.replaced } }
    if (answer.fault.code === -1) throw new RangeError('the host gives the core no more memory')
    return { index, outcome: { refused: [{ offset: answer.fault.offset, length: 0 }] } }
  }
  return { index }
}

/** The index after all steps of a vector. */
export function tell(api: Api, vector: Vector): Api {
  const steps = vector['steps'] as readonly ApiStep[]
  return steps.reduce((index, step) => take(api, index, step).index, api['createIndex']() as Api)
}
