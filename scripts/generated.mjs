import { readFileSync, writeFileSync } from 'node:fs'

/** Writes a file that a script makes; with `check` only gives what is wrong with it, a line each. */
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
