// Finds the documents in a folder: by their names, and by a look at the beginning of JSON and YAML files. What .gitignore
// names, packages of others and caches are left out.
import { dirname, resolve } from 'node:path'
import { fits, patternOf } from '../../bindings/frame/detect.ts'
import type { Find } from '../../bindings/kinds.ts'
import { FINDS } from '../../bindings/tables/finds.ts'
import { compact, UsageError, whyUnread } from '../command.ts'
import type { Entry, Host } from '../host.ts'
import { filesIn, type GlobMatch, join, takeMatch, tryList } from '../inputs.ts'
import { collect } from '../open.ts'
import { glanceAtRoot, LOOKED_AT } from './glance.ts'
import { type IgnoreRule, isIgnored, parseIgnore, rawName } from './ignore.ts'

/** The reasons why something is left out, each with the names. */
export type LeftOut = Map<string, string[]>

/** Which files of a folder are wanted, by their names; or every kind of document. */
export type FileFilter = ((name: string) => boolean) | 'every kind'

/** Enough for every repository; a walk of a whole disk ends. */
const MOST_ENTRIES = 1_000_000
const LARGEST_IGNORE = 1 << 20

/** What other programs keep for themselves. Nobody expects to read about the first ones. */
const VERSIONS = /^\.(?:git|hg|svn|jj)$/
const CACHES = /^(?:node_modules|\.(?:cache|venv|tox|yarn|pnpm-store|terraform|gradle))$/

const ALL: readonly Find[] = FINDS
/** Names that suffice come first: nothing has to be read for them. */
const ROWS = ALL.map((find) => ({ ...find, patterns: find.names?.map(patternOf) })).sort(
  (a, b) => Number(a.marks !== undefined) - Number(b.marks !== undefined),
)
const DATA = /\.(?:json|ya?ml)$/i
const AGENT = /(?:^|\/)agent\.yaml$/
/** Where an agent's folder has files that are checked with the agent. */
const PART = /^(?:(?:specialists\/)?[^/]+\.yaml|agent\.lock|skills\/[^/]+\/SKILL\.md)$/

interface Rules {
  readonly rules: readonly IgnoreRule[]
  /** How many names of a path lead to its folder. */
  readonly from: number
}

interface Place {
  /** As arguments name it. */
  readonly folder: string
  /** The names that lead to it, from the root of the repository. */
  readonly path: readonly string[]
  readonly ignoring: readonly Rules[]
}

/** A found file, and whether an agent may own it. */
type FoundFile = GlobMatch & Pick<Find, 'isPart'>

/** The part of the host that a walk uses. */
export type WalkHost = Pick<Host, 'cwd' | 'list' | 'isWithin' | 'open' | 'stamp'>

/** Finds the wanted files in a folder and its subfolders, in the order of their names. */
export async function walkFolder(
  folder: string,
  filter: FileFilter,
  host: WalkHost,
  leftOut: LeftOut = new Map(),
): Promise<readonly GlobMatch[]> {
  const walk = new FolderWalk(folder, filter, host, leftOut)
  await walk.read(await placeOf(folder, host))
  return withoutParts(walk.found)
}

/** Files that are checked with the agent in whose folder they are. */
function withoutParts(found: readonly FoundFile[]): readonly GlobMatch[] {
  const agents = new Set(found.flatMap(({ name }) => (AGENT.test(name) ? name.slice(0, -10) : [])))
  const isOwned = (name: string) => {
    for (let at = name.length, up = 0; at >= 0 && up < 3; up++) {
      at = name.lastIndexOf('/', at - 1)
      if (agents.has(name.slice(0, at + 1)) && PART.test(name.slice(at + 1))) return true
    }
    return false
  }
  return agents.size === 0 ? found : found.filter(({ name, isPart }) => !isPart || !isOwned(name))
}

/** A folder that was named, with the rules of the folders above it, up to the root of the repository. */
async function placeOf(folder: string, host: WalkHost): Promise<Place> {
  const above: string[] = []
  let at = resolve(host.cwd, folder)
  while (host.stamp(resolve(at, '.git')) === undefined) {
    above.unshift(at)
    if (dirname(at) === at) return { folder, path: [], ignoring: [] }
    at = dirname(at)
  }
  const ignoring: Rules[] = []
  for (const [from, inner] of above.entries()) {
    const rules = await rulesIn(dirname(inner), host)
    if (rules.length > 0) ignoring.unshift({ rules, from })
  }
  return { folder, path: above.map((one) => rawName(one.slice(dirname(one).length).replace(/^[/\\]/, ''))), ignoring }
}

async function rulesIn(folder: string, host: WalkHost): Promise<readonly IgnoreRule[]> {
  try {
    const bytes = await collect(host.open(resolve(folder, '.gitignore')), LARGEST_IGNORE)
    return bytes === undefined ? [] : parseIgnore(bytes)
  } catch (error) {
    whyUnread(error)
    return []
  }
}

class FolderWalk {
  readonly found: FoundFile[] = []
  readonly #root: string
  readonly #filter: FileFilter
  readonly #host: WalkHost
  readonly #files: ReturnType<typeof filesIn>
  readonly #leftOut: LeftOut
  #entries = 0

  constructor(root: string, filter: FileFilter, host: WalkHost, leftOut: LeftOut) {
    this.#root = root
    this.#filter = filter
    this.#host = host
    this.#files = filesIn(host)
    this.#leftOut = leftOut
  }

  async read({ folder, path, ignoring }: Place): Promise<void> {
    const entries = await tryList(folder, this.#files)
    if (typeof entries === 'string') return void this.found.push({ name: folder, problem: entries })
    this.#count(entries, folder)
    const hasRules = entries?.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
    const rules = hasRules ? await rulesIn(resolve(this.#host.cwd, folder), this.#host) : []
    const all = rules.length === 0 ? ignoring : [{ rules, from: path.length }, ...ignoring]
    for (const { name, kind } of entries ?? []) {
      if (this.#isHidden(name, kind)) continue
      const inner = { folder: join(folder, name), path: [...path, rawName(name)], ignoring: all }
      const isFolder = kind === 'folder'
      if (isFolder && CACHES.test(name)) this.#leave('packages and caches', `${inner.folder}/`)
      else if (isFolder && isLeft(inner, isFolder)) this.#leave('.gitignore', `${inner.folder}/`)
      else if (isFolder) await this.read(inner)
      else {
        const find = await this.#find(inner.folder, kind)
        if (find === undefined) continue
        if (isLeft(inner, isFolder)) this.#leave('.gitignore', inner.folder)
        else this.found.push({ ...(await takeMatch(inner.folder, kind, this.#root, this.#files)), ...find })
      }
    }
  }

  #count(entries: readonly Entry[] = [], folder: string): void {
    this.#entries += entries.length
    if (this.#entries <= MOST_ENTRIES) return
    const message = `expected at most ${MOST_ENTRIES} entries, found more at ${folder}`
    throw new UsageError('too-many-files', message, 'name a folder with fewer files')
  }

  /** Only documents of every kind are looked for in hidden places. */
  #isHidden(name: string, kind: Entry['kind']): boolean {
    if (!name.startsWith('.') || name === '.well-known') return false
    return this.#filter !== 'every kind' || (kind === 'folder' && VERSIONS.test(name))
  }

  /** Says how a file was found; undefined for an unwanted one. */
  async #find(name: string, kind: Entry['kind']): Promise<Pick<Find, 'isPart'> | undefined> {
    if (this.#filter !== 'every kind') return this.#filter(name.slice(name.lastIndexOf('/') + 1)) ? {} : undefined
    const isData = DATA.test(name)
    const rows = ROWS.filter(({ patterns }) => patterns?.some((one) => one.test(name)) ?? isData)
    const needsNoLook = rows[0] !== undefined && rows[0].marks === undefined
    const root = needsNoLook || rows.length === 0 || kind !== 'file' ? {} : await this.#look(name)
    const isOther = ({ not = [] }: Find) => not.some((name) => Object.hasOwn(root, name))
    const row = rows.find((one) => (one.marks === undefined || fits(one.marks, root)) && !isOther(one))
    // So broken that nothing can be seen, it still is the agent of its folder.
    if (row === undefined && AGENT.test(name) && Object.keys(root).length === 0) return {}
    return row && compact({ isPart: row.isPart })
  }

  async #look(name: string): Promise<ReturnType<typeof glanceAtRoot>> {
    try {
      for await (const chunk of this.#files.open(name)) return glanceAtRoot(chunk.subarray(0, LOOKED_AT))
    } catch (error) {
      this.#leave(whyUnread(error), name)
    }
    return {}
  }

  #leave(why: string, name: string): void {
    const names = this.#leftOut.get(why) ?? []
    names.push(name)
    this.#leftOut.set(why, names)
  }
}

/** True when the rules of the nearest folder that has one for this path ignore it. */
function isLeft({ path, ignoring }: Place, isFolder: boolean): boolean {
  for (const { rules, from } of ignoring) {
    const verdict = isIgnored(rules, path, from, isFolder)
    if (verdict !== undefined) return verdict
  }
  return false
}
