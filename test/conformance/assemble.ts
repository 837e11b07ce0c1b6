import type { Vector } from './content.ts'
import { assemble, type Call } from './program.ts'
import * as digest from './recipes/digest.ts'
import * as index from './recipes/index.ts'
import * as json from './recipes/json.ts'
import * as number from './recipes/number.ts'
import * as pattern from './recipes/pattern.ts'
import { type Answer, type FaultNames, type Recipe, readFault, Slots } from './recipes/recipe.ts'
import * as template from './recipes/template.ts'
import * as version from './recipes/version.ts'

const recipes: Record<string, Recipe> = { ...digest, ...index, ...json, ...number, ...pattern, ...template, ...version }

/** The program of all vectors, and for each vector the number of the call that answers it. */
export function assembleVectors(vectors: readonly Vector[]): { program: Uint8Array<ArrayBuffer>; answers: number[] } {
  const slots = new Slots()
  const calls: Call[] = []
  const answers = vectors.map((vector) => {
    calls.push(...recipeOf(vector).calls(vector, slots))
    return calls.length - 1
  })
  return { program: assemble(calls), answers }
}

/** An answer in the words of the vectors: what came, or the fault and its places. */
export function readAnswer(vector: Vector, answer: Answer, names: FaultNames): Record<string, unknown> {
  if (answer.got < 0) return readFault(answer.got, answer.outputs, names)
  return recipeOf(vector).read(answer, vector, names)
}

function recipeOf(vector: Vector): Recipe {
  const recipe = recipes[vector.call]
  if (recipe === undefined) throw new TypeError(`${vector.id}: no recipe for ${vector.call}`)
  return recipe
}
