// The members of a tool's input that can name a path or a command, at any depth.
import { fileURLToPath } from 'node:url'
import { isObject, isText, type JsonObject } from '../../../bindings/text/members.ts'
import { Unjudgeable } from './unjudgeable.ts'

const MOST_PATHS = 200

/** Compared without case, `_` and `-`: `file_path`, `filePath`, `repo_path`, `workdir`, `targetUri`. */
const PATH_MEMBER =
  /(?:paths?|files?|filenames?|dir|dirs|directory|directories|folders?|uris?|cwd|root|roots|source|sources|src|destination|destinations|dest|dst)$/
const COMMAND_MEMBER = /^(?:commands?|cmds?|commandlines?|shell|script|chars|argv)$/

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The paths in an input. A URL counts only if it names a file. */
export function pathsIn(input: JsonObject): readonly string[] {
  const paths = textsIn(input, (name) => PATH_MEMBER.test(name) || name === 'url').flatMap(({ name, text }) => {
    if (/^file:/i.test(text)) return fileOf(text)
    return name.endsWith('url') || /^[a-z][a-z\d+.-]+:\/\//i.test(text) ? [] : [text]
  })
  return bounded([...new Set(paths)])
}

export function bounded<List extends { readonly length: number }>(paths: List): List {
  if (paths.length > MOST_PATHS) throw new Unjudgeable(`a call names at most ${MOST_PATHS} paths`)
  return paths
}

/** The commands in an input; a list of words is one command. */
export function commandsIn(input: JsonObject): readonly string[] {
  return bounded(textsIn(input, (name) => COMMAND_MEMBER.test(name), true).map(({ text }) => text))
}

interface NamedText {
  readonly name: string
  readonly text: string
}

function textsIn(value: unknown, isMeant: (name: string) => boolean, isJoined = false, name = ''): NamedText[] {
  if (isText(value)) return isMeant(name) ? [{ name, text: value }] : []
  if (Array.isArray(value)) {
    if (isJoined && isMeant(name) && value.length > 0 && value.every(isText)) return [{ name, text: value.join(' ') }]
    return value.flatMap((one) => textsIn(one, isMeant, isJoined, name))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) => textsIn(inner, isMeant, isJoined, plain(member)))
}

function fileOf(url: string): readonly string[] {
  try {
    return [fileURLToPath(url), url]
  } catch {
    throw new Unjudgeable(`${url.slice(0, 100)} names no file of this machine`)
  }
}
