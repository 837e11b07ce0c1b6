import { existsSync, readFileSync } from 'node:fs'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** A valid record that shows level 1. */
export const REVIEW = readJson('fixtures/runs/review.json')

/** Data of others, next to the project, are read there and never copied; undefined when they are missing. */
export function sharedData(path: string): string | undefined {
  const file = `../shared/data/runs/${path}`
  if (existsSync(file)) return readFileSync(file, 'utf8')
  console.warn(`NOT RUN: ${file} is missing`)
  return undefined
}

export interface Change {
  /** Values by JSON Pointer. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly without?: readonly string[]
}

/** A copy with members set or removed. */
export function changed(value: unknown, { set = {}, without = [] }: Change) {
  const copy = structuredClone(value)
  for (const [pointer, member] of Object.entries(set)) {
    const [parent, name] = parentOf(copy, pointer)
    parent[name] = member
  }
  for (const pointer of without) {
    const [parent, name] = parentOf(copy, pointer)
    delete parent[name]
  }
  return copy
}

// biome-ignore lint/suspicious/noExplicitAny: test documents have any shape.
function parentOf(value: any, pointer: string): [any, string] {
  const names = pointer.slice(1).split('/')
  const last = names.pop()!
  return [names.reduce((part, name) => part[name], value), last]
}

/** A copy with the members of the change, and undefined ones left as they are. */
export function merged(value: unknown, change: unknown): unknown {
  if (change === undefined) return value
  if (!isPlain(value) || !isPlain(change)) return change
  const rows = Object.entries(change).map(([name, member]) => [name, merged(value[name], member)])
  return { ...value, ...Object.fromEntries(rows) }
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
