// What the beginning of a file shows about its root members. It also reads broken documents, so that they are found.
import { glanceYaml } from '../../bindings/frame/open.ts'

/** The bytes that are looked at. */
export const LOOKED_AT = 1 << 15

const TOKEN = /"((?:[^"\\\n]|\\.)*)"?|[{}[\]:,]|\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g

/** The root members: texts are kept, an object is empty, and a list has one object with the names in its objects. */
export function glanceAtRoot(head: Uint8Array): Readonly<Record<string, unknown>> {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  return /^\s*(?:\{|\/[/*])/.test(text) ? glanceJson(text) : glanceYaml(text, () => true)
}

function glanceJson(text: string): Readonly<Record<string, unknown>> {
  const root = new Map<string, unknown>()
  let depth = 0
  let list: Map<string, unknown> | undefined
  /** The latest text, which a colon makes a name, and the root's member that waits for its value. */
  let latest: string | undefined
  let member: string | undefined
  const give = (value: unknown) => {
    if (depth !== 1 || member === undefined) return
    root.set(member, value)
    member = undefined
  }
  for (const [token, written] of text.matchAll(TOKEN)) {
    if (written !== undefined) {
      latest = written
      if (member !== undefined) give(written)
    } else if (token === ':') {
      if (depth === 1 && latest !== undefined) {
        member = latest
        root.set(member, null)
      }
      if (depth === 3 && latest !== undefined) list?.set(latest, null)
    } else if (token === '{' || token === '[') {
      if (depth === 1) list = token === '[' ? new Map() : undefined
      give(token === '{' ? {} : list)
      depth++
    } else if (depth === 1 && token === ',') member = undefined
    else if (token === '}' || token === ']') depth--
  }
  return Object.fromEntries(
    [...root].map(([name, value]) => [name, value instanceof Map ? [Object.fromEntries(value)] : value]),
  )
}
