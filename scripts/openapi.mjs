// edge/*/openapi.json -> one file: each folder describes its own routes, and edge/http/ the parts that all of them
// share.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const SHARED = 'http'

/** The folders of edge/ with routes. */
export function routeFolders() {
  return readdirSync('edge').filter((folder) => folder !== SHARED && existsSync(`edge/${folder}/openapi.json`))
}

/** The part of one folder. */
export function openapiOf(folder) {
  return JSON.parse(readFileSync(`edge/${folder}/openapi.json`, 'utf8'))
}

/** The whole description. A path or schema that two folders define is a mistake. */
export function openapi() {
  const { components, ...head } = openapiOf(SHARED)
  const whole = { ...head, paths: {}, components }
  for (const folder of routeFolders()) {
    const part = openapiOf(folder)
    add(whole.paths, part.paths, folder)
    for (const [kind, named] of Object.entries(part.components)) {
      components[kind] ??= {}
      add(components[kind], named, folder)
    }
  }
  return whole
}

function add(all, more, folder) {
  for (const [name, value] of Object.entries(more)) {
    if (Object.hasOwn(all, name)) throw new Error(`edge/${folder}/openapi.json describes ${name}, which another does`)
    all[name] = value
  }
}
