import { readFileSync } from 'node:fs'
import type { PatternKind } from '../../bindings/core/index.ts'

function table<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(`fixtures/patterns/${name}.json`, 'utf8')) as Row[]
}

/** Kind, pattern, subject, whether it matches, and the source of that. */
export const MATCHES = table<[PatternKind, string, string, boolean, string]>('matches')
/** Kind, pattern, reason, offset, length. */
export const REFUSED = table<[PatternKind, string, string, number, number]>('refused')
export const WARNED = table<[PatternKind, string, string, number, number]>('warned')
export const CLEAN = table<[PatternKind, string]>('clean')
