import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesOf } from './current.mjs'

/**
 * Makes one folder what another is, and uses that one up. Whoever reads it meanwhile finds each file whole, as it was
 * or as it is to be: new ones come before those that name them, and old ones go last.
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
