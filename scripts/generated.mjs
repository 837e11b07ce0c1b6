import { readFileSync, writeFileSync } from 'node:fs'

/** Writes a generated file; with `check` only returns its differences, a line each. */
export function keep(file, text, script, { check }) {
  if (!check) writeFileSync(file, text)
  else if (read(file) !== text) return [`${file} is out of date: run node ${script}`]
  return []
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
