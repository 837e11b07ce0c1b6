import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes a generated file if it has changed; with `check` only returns its differences, a line each. */
export function keep(file, text, script, { check }) {
  if (read(file) === text) return []
  if (!check) writeFileSync(file, text)
  else return [`${file} is out of date: run node ${script}`]
  return []
}

/** Runs a generator if its script was started by itself. With `--check` it reports differences instead of writing. */
export async function runAlone(url, generate) {
  if (process.argv[1] !== fileURLToPath(url)) return
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  const problems = await generate({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
