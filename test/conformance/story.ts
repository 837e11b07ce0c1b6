import type { Api } from './body.ts'
import type { Vector } from './content.ts'
import type { Step } from './recipes/index.ts'

/** Why the API did not take a card, as `runBody` reports what is refused. */
export interface Refused {
  readonly refused: readonly { readonly offset: number; readonly length: number }[]
}

/** Takes a step; where a card is not taken, why not. */
export function take(api: Api, index: Api, step: Step): { index: Api; outcome?: Refused | { replaced: boolean } } {
  if ('set' in step) index['setSignals'](step.set, step.signals)
  else if ('remove' in step) index['remove'](step.remove)
  else if ('reload' in step) return { index: api['loadIndex'](index['save']()).index }
  else {
    const card = 'add' in step ? new TextEncoder().encode(JSON.stringify(step.add)) : step.record
    const answer = index['add' in step ? 'add' : 'addRecord'](card, step.signals ?? {})
    if (answer.ok) return { index, outcome: { replaced: answer.replaced } }
    if (answer.fault.code === -1) throw new RangeError('the host gives the core no more memory')
    return { index, outcome: { refused: [{ offset: answer.fault.offset, length: 0 }] } }
  }
  return { index }
}

/** The index after all steps of a vector. */
export function tell(api: Api, vector: Vector): Api {
  const steps = vector['steps'] as readonly Step[]
  return steps.reduce((index, step) => take(api, index, step).index, api['createIndex']() as Api)
}
