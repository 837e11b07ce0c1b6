import { readFileSync, writeFileSync } from 'node:fs'

/** Writes a generated file if it has changed; with `check` only returns its differences, a line each. */
export function keep(file, text, script, { check }) {
  if (read(file) === text) return []
  if (!check) writeFileSync(file, text)
  else return [`${file} is out of date: run node ${script}`]
  return []
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
