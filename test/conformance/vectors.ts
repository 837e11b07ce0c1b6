import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Vector } from './content.ts'

/** The vectors of one folder of fixtures/vectors, in the order of file names. */
export function readVectors(folder: string): Vector[] {
  const from = join('fixtures/vectors', folder)
  const files = readdirSync(from).filter((name) => name.endsWith('.json'))
  return files.sort().flatMap((name) => {
    const { vectors } = JSON.parse(readFileSync(join(from, name), 'utf8')) as { vectors: Vector[] }
    return vectors.map((vector) => ({ ...vector, id: `${name.slice(0, -5)}/${vector.id}` }))
  })
}

/** Names of the faults by their numbers, out of core/faults.ts. */
export function faultNames(): Map<number, string> {
  const source = readFileSync('core/faults.ts', 'utf8')
  return new Map(
    Array.from(source.matchAll(/^export const (\w+): i32 = (-\d+);/gm), ([, name, n]): [number, string] => {
      return [Number(n), name!]
    }),
  )
}
