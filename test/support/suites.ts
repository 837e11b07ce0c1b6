import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nonEmpty } from './non-empty.ts'

/** The folder of the public suites: next to the project, or in BLAZON_SUITES. They are read there and never copied. */
export const SUITES = resolve(process.env['BLAZON_SUITES'] ?? '../shared/suites')

/** True when the suite is present; warns loudly when it is missing, because a run without it proves less. */
export function hasSuite(name: string): boolean {
  const here = existsSync(join(SUITES, name))
  if (!here) console.warn(`NOT RUN: suite ${name}: absent from ${SUITES}`)
  return here
}

export function suiteFile(...path: string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(SUITES, ...path)))
}

/** The files of a suite's folder; empty only when the suite is missing. */
export function suiteFiles(...path: string[]): readonly string[] {
  const folder = join(SUITES, ...path)
  return existsSync(folder) ? nonEmpty(readdirSync(folder).sort()) : []
}
