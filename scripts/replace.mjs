import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesOf } from './current.mjs'

/**
 * Gives one folder the contents of another, which it consumes. Readers find every file complete at any time, either old
 * or new. New files come before files that name them, and old files are deleted last.
 */
export function replaceFolder(folder, by) {
  const coming = filesOf(by).map((path) => path.slice(by.length + 1))
  const there = (name) => existsSync(`${folder}/${name}`)
  for (const name of [...coming.filter((name) => !there(name)), ...coming.filter(there)]) {
    const [from, to] = [`${by}/${name}`, `${folder}/${name}`]
    if (there(name) && readFileSync(from).equals(readFileSync(to))) continue
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  }
  const wanted = new Set(coming)
  for (const path of filesOf(folder)) if (!wanted.has(path.slice(folder.length + 1))) rmSync(path)
  rmSync(by, { recursive: true })
}
