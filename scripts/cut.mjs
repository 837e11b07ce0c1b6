// Cuts dist/ into files. esbuild joins the modules that exactly the same entries need. With the commands of the command
// line tool, that makes some 350 files. A process takes more than a millisecond to load each file, so modules are joined
// into groups here, and an import of one module loads its group. Bundlers drop the unused parts (bundler.mjs).
import { basename, relative } from 'node:path'
import { ENTRIES } from './entries.mjs'
import { SPECIFICATION_FOLDERS } from './specifications.mjs'

/** The file that starts. It loads all others on demand. */
const PROGRAM = ['cli/blazon.ts', 'cli/main.ts', 'cli/host.ts', 'package.json']
/** A file that only imports from one file and exports the same names. */
const PASSES_ON = /^import \{([^{}]*)\} from "\.\/([\w-]+\.js)";\s*export \{([^{}]*)\};\s*$/
/** What a file imports from another one, and what it exports at its end. */
const IMPORTS = /^import \{([^{}]*)\} from "[./]*(?:chunks\/)?([\w-]+\.js)";$/gm
const EXPORTS = /^export \{([^{}]*)\};\s*$/m
const IMPORTED_ON_DEMAND = /(?<=import\("[./]*(?:chunks\/)?)[\w-]+\.js(?="\))/g
/** A file takes as long to load as this many bytes of code, before names are shortened: measured with Node 20. */
const FILE = 25_000
/** The most frequent work of the command line tool. Commands share most of its modules. */
const CHECKING = ['cli/execute.ts', 'cli/mask.ts', 'cli/commands/validate.ts']
const STARTING = [PROGRAM[0], 'cli/run.ts', ...CHECKING]
const YAML = 'bindings/document/yaml/on-demand.ts'
/** Runs at each step of an agent, which waits for it. */
const HOOK = ['cli/commands/runs/hook.ts', 'cli/runs/hook/judge.ts']
/** What judges the calls of an agent by its definition. */
const DECIDING = ['cli/open.ts', 'cli/proof.ts', 'bindings/runs/record/decider.ts']
/** What a discovery loads while it waits for answers. */
const DISCOVERING = ['bindings/discover/dns/dnssec/chain.ts', 'bindings/discover/trust/metadata.ts']
/** What people wait for the most, with the modules that each loads, and how much its time counts. */
const STARTS = [
  { weight: 30, loads: ['bindings/adl/specification.ts'] },
  { weight: 10, loads: ['bindings/adl/specification.ts', YAML] },
  { weight: 10, loads: HOOK },
  { weight: 10, loads: [...HOOK, ...DECIDING] },
  { weight: 10, loads: ['cli/commands/agent/inspect.ts', 'bindings/agentlang/folder.ts', YAML] },
  { weight: 10, loads: ['cli/commands/discover.ts', ...DISCOVERING] },
]
/** A file with modules that several others import. esbuild gives those that are imported on demand the name of the module. */
const SHARED = /[\\/]chunk-\w+\.js$/
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const SPECIFICATIONS = SPECIFICATION_FOLDERS.map((folder) => `bindings/${folder}/specification.ts`)

/** An esbuild plugin that joins the modules of `metafile`, which comes from the same build without the plugin. */
export function cut(metafile) {
  const groups = groupsOf(metafile)
  const homes = new Map(groups.flatMap((group) => group.modules.map((module) => [module, group])))
  return {
    name: 'cut',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'cut' || (kind !== 'dynamic-import' && kind !== 'entry-point')) return undefined
        const found = await resolve(path, { kind: 'import-statement', importer, resolveDir, pluginData: 'cut' })
        const module = relative('.', found.path).replaceAll('\\', '/')
        if (found.external || module === PROGRAM[0]) return found
        return { path: CHECKING.includes(module) ? CHECKING.join(' ') : module, namespace: 'wrapped' }
      })
      // Not added to the module itself, which a member of the group may import: it would run before its dependencies.
      onLoad({ filter: /^/, namespace: 'wrapped' }, ({ path }) => {
        const modules = path.split(' ')
        const needed = new Set(modules.flatMap((module) => [...homes.get(module).needs]))
        const loaded = Array.from(needed, (group) => `import 'group:${groups.indexOf(group)}'`)
        const given = modules.map((module) => `export * from './${module}'`)
        return { resolveDir: '.', contents: [...given, ...loaded].join('\n') }
      })
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'group', sideEffects: true }))
      onLoad({ filter: /^/, namespace: 'group' }, ({ path }) => {
        const members = groups[path].modules.map((module, i) => `import * as a${i} from './${module}'`)
        return { resolveDir: '.', contents: members.join('\n') }
      })
    },
  }
}

/** The groups: modules that the same processes load, joined while that makes processes faster. */
function groupsOf({ inputs, outputs }) {
  const processes = processesOf(inputs)
  const groups = joinedByUse(inputs, sizesOf(outputs), processes)
  for (let best = bestPair(groups, processes); best !== undefined; best = bestPair(groups, processes))
    join(groups, best)
  return groups
}

/** Sets of modules that one process loads, and how much its time counts. */
function processesOf(inputs) {
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  const onDemand = new Set(imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? path : [])))
  const known = new Set([...STARTING, ...SPECIFICATIONS])
  const others = [...onDemand].filter((path) => inputs[path] !== undefined && !known.has(path))
  const all = [
    ...STARTS.map(({ weight, loads }) => ({ weight, roots: [...STARTING, ...loads] })),
    ...SPECIFICATIONS.map((path) => ({ weight: 1, roots: [...STARTING, path] })),
    ...Object.values(ENTRIES).map((path) => ({ weight: 3, roots: [path], isEntry: true })),
    ...others.map((path) => ({ weight: 0.25, roots: path.startsWith('cli/') ? [...STARTING, path] : [path] })),
  ]
  return all.map(({ roots, ...rest }) => ({ ...rest, modules: closure(inputs, roots) }))
}

/** Groups of modules that exactly the same processes load, which costs none of them anything. */
function joinedByUse(inputs, bytes, processes) {
  const groups = new Map()
  for (const path of new Set(processes.flatMap(({ modules }) => [...modules]))) {
    const users = Uint8Array.from(processes, ({ modules }) => modules.has(path))
    const kind = apart(path, closure(inputs, [path]))
    const together = `${kind} ${users}`
    const fresh = { apart: kind, modules: [], bytes: 0, users, needs: new Set(), gains: new Map() }
    const group = groups.get(together) ?? fresh
    group.modules.push(path)
    group.bytes += bytes.get(path) ?? 0
    group.hasMore ||= inputs[path].imports.some(({ kind, external }) => kind === 'dynamic-import' && !external)
    groups.set(together, group)
  }
  const all = [...groups.values()]
  const of = new Map(all.flatMap((group) => group.modules.map((path) => [path, group])))
  for (const group of all) for (const path of closure(inputs, group.modules)) group.needs.add(of.get(path))
  return all
}

/**
 * Modules with different answers stay apart. Third-party code may have side effects: only who uses it may load it. A bundler
 * that splits takes all files that a file leads to for needed by it, so modules of bindings/ that lead to such code stay
 * apart, and so do those that read YAML.
 */
function apart(path, needs) {
  const foreign = (module) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]
  if (foreign(path) !== undefined) return foreign(path)
  if (PROGRAM.includes(path)) return 'program'
  if (path.startsWith('cli/')) return 'cli'
  // Modules for Node only must not be loaded by others.
  if (path.startsWith('bindings/node/')) return 'node'
  return (
    [...new Set([...needs].map(foreign))].join(' ') + (path.startsWith('bindings/document/yaml/') ? ' reading' : '')
  )
}

function bestPair(groups, processes) {
  let best
  for (const [at, one] of groups.entries())
    for (const other of groups.slice(at + 1)) {
      if (one.apart !== other.apart) continue
      const gain = one.gains.get(other) ?? gainOf(one, other, groups, processes)
      one.gains.set(other, gain)
      if (gain > (best?.gain ?? 0) && !isBetween(one, other) && !isBetween(other, one)) best = { gain, one, other }
    }
  return best
}

/**
 * What is saved when these are one file: a file less for processes that need both and in the package, more bytes for
 * other processes.
 */
function gainOf(one, other, groups, processes) {
  let gain = FILE
  for (let at = 0; at < processes.length; at++) {
    if (one.users[at] === other.users[at]) gain += one.users[at] * processes[at].weight * FILE
    // A bundler keeps what a file imports on demand, and for that other parts of the file.
    else if (processes[at].isEntry && (one.hasMore || other.hasMore)) return 0
    else gain -= processes[at].weight * (one.users[at] ? other : one).bytes
  }
  if (gain <= 0) return gain
  for (const needed of groups) {
    if (needed === one || needed === other || !(one.needs.has(needed) || other.needs.has(needed))) continue
    for (const [at, { weight }] of processes.entries())
      if ((one.users[at] || other.users[at]) && !needed.users[at]) gain -= weight * (FILE + needed.bytes)
  }
  return gain
}

/** True if a third group needs the second one and is needed by the first one: joined, they would form a circle. */
const isBetween = (first, second) =>
  [...first.needs].some((group) => group !== first && group !== second && group.needs.has(second))

function join(groups, { one, other }) {
  groups.splice(groups.indexOf(other), 1)
  one.modules.push(...other.modules)
  one.bytes += other.bytes
  one.hasMore ||= other.hasMore
  for (const group of other.needs) one.needs.add(group)
  one.needs.delete(other)
  for (const group of groups) {
    if (!group.needs.delete(other) && !group.needs.has(one)) continue
    for (const needed of one.needs) group.needs.add(needed)
    group.needs.add(one)
  }
  const users = one.users.map((uses, at) => uses | other.users[at])
  const changed = [other, ...one.needs].filter((group) => users.some((uses, at) => uses > group.users[at]))
  for (const group of [one, other, ...changed]) {
    group.users = group.users.map((uses, at) => uses | users[at])
    group.gains.clear()
    for (const { gains } of groups) gains.delete(group)
  }
}

/** The bytes of each module in the output. */
function sizesOf(outputs) {
  const sizes = new Map()
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) sizes.set(path, bytesInOutput)
  return sizes
}

/**
 * Removes files that only re-export another file, because each costs a process nearly a millisecond; imports of one
 * lead to the other file. Only for files that the command line tool alone imports: a bundler keeps the whole of a file
 * that is imported on demand.
 */
export function withoutDetours(files, { outputs }) {
  const inputsOf = (path) =>
    Object.keys(Object.entries(outputs).find(([output]) => path.endsWith(output))?.[1].inputs ?? {})
  const isLibrary = ({ path }) => !inputsOf(path).some((input) => /^(?:wrapped:)?cli\//.test(input))
  const ofLibrary = files.filter(isLibrary).flatMap(({ text }) => Array.from(text.matchAll(IMPORTED_ON_DEMAND), String))
  const others = new Map()
  const onDemand = new Map()
  for (const { path, text } of files) {
    const [, names, other, given] = PASSES_ON.exec(text) ?? []
    if (names === undefined || names !== given || ofLibrary.includes(basename(path))) continue
    others.set(basename(path), other)
    onDemand.set(other, [...(onDemand.get(other) ?? []), ...namesIn(names).map(([name]) => name)])
  }
  const direct = (text) => text.replace(IMPORTED_ON_DEMAND, (name) => others.get(name) ?? name)
  return files.flatMap(({ path, text }) => {
    const name = basename(path)
    return others.has(name) ? [] : [{ path, text: direct(text), onDemand: onDemand.get(name) ?? [] }]
  })
}

/**
 * Shortens the names by which files in chunks/ import from each other, which took 6 % of the package. What is imported
 * on demand keeps its name.
 */
export function withShortNames(files) {
  const short = new Map(
    files.filter(({ path }) => SHARED.test(path)).map((file) => [basename(file.path), shortened(file)]),
  )
  return files.map(({ path, text }) => {
    const withShort = (line, list, from = basename(path)) => {
      const names = short.get(from)
      if (names === undefined) return line
      const isImport = line.startsWith('import')
      const given = namesIn(list).map(([name, as = name]) =>
        isImport ? `${names.get(name)} as ${as}` : `${name} as ${names.get(as)}`,
      )
      return line.replace(list, () => given.join(', '))
    }
    return { path, text: text.replace(IMPORTS, withShort).replace(EXPORTS, (line, list) => withShort(line, list)) }
  })
}

/** The short name for each name that a file exports. */
function shortened({ text, onDemand }) {
  const names = namesIn(EXPORTS.exec(text)?.[1] ?? '').map(([local, name = local]) => name)
  return new Map(
    names.map((name, i) => [name, onDemand.includes(name) ? name : `${LETTERS[i % 52]}${i < 52 ? '' : (i / 52) | 0}`]),
  )
}

/** The names in a list of imports or exports, each with the name after `as`. */
const namesIn = (list) =>
  list
    .split(',')
    .map((one) => one.trim().split(' as '))
    .filter(([name]) => name !== '')

/** All modules that a process loads with these. */
function closure(inputs, roots) {
  const found = new Set(roots)
  for (const path of found) {
    for (const { path: next, kind, external } of inputs[path].imports) {
      if (kind === 'import-statement' && !external) found.add(next)
    }
  }
  return found
}
