import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the public suites lie: beside the project, or where BLAZON_SUITES says. They are read in place, never copied. */
export const SUITES = resolve(process.env['BLAZON_SUITES'] ?? '../shared/suites')

/** Whether the suite is here; says so loudly when it is not, for a run without it proves less. */
export function hasSuite(name: string): boolean {
  const here = existsSync(join(SUITES, name))
  if (!here) console.warn(`NOT RUN: suite ${name}: absent from ${SUITES}`)
  return here
}

export function suiteFile(...path: string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(SUITES, ...path)))
}

/** The files of a folder of a suite, none when the suite is not here. */
export function suiteFiles(...path: string[]): string[] {
  const folder = join(SUITES, ...path)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
