// Cuts dist/ into files. esbuild joins the modules that exactly the same entries need. With the commands of the command
// line tool, that makes some 200 files. A process takes nearly a millisecond to load each file, so modules are joined
// into groups here, and an import of one module loads its group. Bundlers drop the unused parts (bundler.mjs).
import { basename, relative } from 'node:path'
import { ENTRIES } from './entries.mjs'
import { ROWS, SPECIFICATION_FOLDERS } from './specifications.mjs'

const PROGRAM = 'cli/blazon.ts'
/** A file that only imports from one file and exports the same names. */
const PASSES_ON = /^import \{([^{}]*)\} from "\.\/([\w-]+\.js)";\s*export \{([^{}]*)\};\s*$/
const IMPORTED_ON_DEMAND = /(?<=import\("[./]*(?:chunks\/)?)[\w-]+\.js(?="\))/g
/** The library imports it on demand, so a bundler keeps everything in the same file. */
const DID = ['bindings/net/did.ts']
/** Verifies JSON documents. It is kept apart from the YAML reader. */
const VERIFYING = ['bindings/wellknown/signing.ts']
/** Verifies documents of every kind. No command that verifies must load how others are signed. */
const JUDGING = ['bindings/frame/verify.ts', 'bindings/keys/verify.ts']
/** Discovers, live or from a trace. A replay loads nothing else of the library. */
const DISCOVERING = ['bindings/discover/trace/verify.ts', 'bindings/discover/dns/dnssec/chain.ts']
/** Reads YAML with the yaml package. A program that needs neither must load neither. */
const YAML_PACKAGE = 'bindings/document/yaml/parse.ts'
/** Imports what proves runs and traces on demand. A bundler keeps that for every program that has the file. */
const VERBS = ['bindings/index.ts', 'bindings/verify.ts', 'bindings/all-provings.ts']
/** Shared by the commands that discover. Kept separate, each command would read two more files. */
const ASKING = { root: 'cli/commands/discover.ts', folder: 'cli/asking.ts' }
const ALONE = [DID, JUDGING, VERIFYING]
/** Small enough to stay separate from the most frequent work of the command line tool. Each costs it one more file. */
const SMALL = [['core'], ['document'], ['keys']]
/** What is useful alone, in the order of dependencies. A module belongs to the first one that needs it. */
const PARTS = [
  ...[JUDGING, VERIFYING, ...SMALL, ['adl'], ['card'], DID],
  ...[['convert'], ['index'], ['runs'], ['agentlang'], DISCOVERING],
]
/** Groups below this many bytes of source are joined with others of the same purpose. */
const WORTH_A_FILE = 25_000
/** Modules below this many bytes are read at each start if checking shares them with one other task. */
const LITTLE_SHARED = 8_000
/** The most frequent work of the command line tool, which must not read the modules of other commands. */
const CHECKING = ['cli/execute.ts', 'cli/mask.ts', 'cli/commands/validate.ts']
/** Runs at each step of an agent, which waits for it. */
const HOOK = ['cli/commands/runs/hook.ts', 'cli/runs/hook/judge.ts']
/** Judges the calls of an agent by its definition. */
const DECIDING = ['cli/proof.ts', 'bindings/adl/subject.ts', 'bindings/runs/record/guard.ts']
/** Shows an agent before it runs, without the modules that build and run it. */
const INSPECTING = ['cli/commands/agent/inspect.ts']
/** Command lookup shares a file with checking: each start would need two more reads. */
const STARTING = ['cli/run.ts', ...CHECKING]
/** Reads the YAML that does not need the yaml package. */
const YAML = ['bindings/document/yaml/on-demand.ts']
/** A module goes with the first purpose that needs it. */
const PURPOSES = [STARTING, YAML, [YAML_PACKAGE, 'bindings/frame/as.ts'], HOOK]
/** Specifications that add fewer bytes go with the one whose folder they are in; those of runs go with records. */
const LITTLE = ROWS.flatMap(({ adds, folder }) => (adds < 5_200 ? folder : []))
/** Each is loaded for documents of its kinds. Modules that several of them need are joined, separate from each. */
const SPECIFICATIONS = SPECIFICATION_FOLDERS.filter((folder) => !LITTLE.includes(folder)).map((folder) => {
  const folders = [folder, ...LITTLE.filter((other) => other.startsWith(`${folder.replace(/\/record$/, '')}/`))]
  return folders.map((one) => `bindings/${one}/specification.ts`)
})

/** An esbuild plugin that joins the modules of `metafile`, which comes from the same build without the plugin. */
export function cut({ inputs }) {
  const groups = groupsOf(inputs)
  return {
    name: 'cut',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === 'cut' || (kind !== 'dynamic-import' && kind !== 'entry-point')) return undefined
        const found = await resolve(path, { kind: 'import-statement', importer, resolveDir, pluginData: 'cut' })
        const module = relative('.', found.path).replaceAll('\\', '/')
        if (found.external || module === PROGRAM) return found
        return { path: CHECKING.includes(module) ? CHECKING.join(' ') : module, namespace: 'wrapped' }
      })
      // Not added to the module itself, which a member of the group may import: it would run before its dependencies.
      onLoad({ filter: /^/, namespace: 'wrapped' }, ({ path }) => {
        const modules = path.split(' ')
        const needed = groupsNeeded(inputs, groups, modules).map((group) => `import 'group:${groups.indexOf(group)}'`)
        const given = modules.map((module) => `export * from './${module}'`)
        return { resolveDir: '.', contents: [...given, ...needed].join('\n') }
      })
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'group', sideEffects: true }))
      onLoad({ filter: /^/, namespace: 'group' }, ({ path }) => {
        const members = groups[path].map((module, i) => `import * as a${i} from './${module}'`)
        return { resolveDir: '.', contents: members.join('\n') }
      })
    },
  }
}

/** The modules of each group. esbuild puts other modules, which only commands need, with their commands. */
function groupsOf(inputs) {
  const all = closure(inputs, Object.values(ENTRIES))
  const ofAgents = SPECIFICATIONS.flat().filter((root) => root.startsWith('bindings/agentlang/'))
  const elsewhere = closure(inputs, [...ofAgents, ...JUDGING])
  const inspecting = new Set([...closure(inputs, INSPECTING)].filter((path) => !elsewhere.has(path)))
  // Inspecting counts as a specification: it also needs modules of several of them.
  const specifications = [...SPECIFICATIONS.map((roots) => closure(inputs, roots)), inspecting]
  const tasks = [inspecting, ...[HOOK, DECIDING, [ASKING.root]].map((roots) => closure(inputs, roots))]
  const purposes = PURPOSES.map((roots) => closure(inputs, roots))
  addShared(inputs, purposes[0], specifications[0], tasks)
  const rootsOf = (names) => names.map((name) => ENTRIES[name] ?? name)
  const modulesOf = new Map(PARTS.map((names) => [names, closure(inputs, rootsOf(names))]))
  const groups = new Map()
  for (const path of new Set([...[...purposes, ...specifications].flatMap((modules) => [...modules]), ...all])) {
    // Third-party code may have side effects, so only modules that use it may load it.
    const foreign = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    const first = purposes.findIndex((modules) => modules.has(path))
    const needing = specifications.flatMap((modules, i) => (modules.has(path) ? [purposes.length + i] : []))
    // Definitions are checked the most: what they don't need is kept apart from what they share with others.
    const isDefinition = needing.includes(purposes.length)
    const several = isDefinition ? 'definitions and others' : 'several'
    const purpose = first >= 0 || needing.length === 0 ? first : needing.length > 1 ? several : needing[0]
    const part = (purpose === -1 ? PARTS : SMALL).find((names) => modulesOf.get(names).has(path))
    // Modules for Node only must not be loaded by others. Those of small entries must not load what is not part of them.
    const isSmall = purpose !== 0 && SMALL.includes(part)
    const alone = VERBS.includes(path) ? 'verbs' : (isSmall || ALONE.includes(part)) && part
    // Checking a definition, or inspecting an agent, must not load the rest of the hook.
    const isShared = first > 0 && (isDefinition || inspecting.has(path))
    const needsYaml = /^bindings\/(?:agentlang|document)\//.test(path) && closure(inputs, [path]).has(YAML_PACKAGE)
    const isNode = path.startsWith('bindings/node/')
    const tasked = first === 0 || tasks.map((modules) => modules.has(path))
    const together = [foreign, purpose, isShared, all.has(path), isNode, needsYaml, alone, tasked].join()
    const byPart = groups.get(together) ?? new Map()
    groups.set(together, byPart.set(part, [...(byPart.get(part) ?? []), path]))
  }
  const asking = [...closure(inputs, [ASKING.root])].filter((path) => path.startsWith(ASKING.folder))
  return [...[...groups.values()].flatMap((byPart) => joined([...byPart.values()], inputs)), asking]
}

/**
 * Adds to the modules of each start those that checking a definition shares with other tasks: each file takes time. Of
 * large ones only those that all tasks need.
 */
function addShared(inputs, starting, checking, tasks) {
  const isReady = ({ path, kind, external }) => external || kind !== 'import-statement' || starting.has(path)
  const isShared = (path) => {
    const count = tasks.filter((modules) => modules.has(path)).length
    return count >= (inputs[path].bytes < LITTLE_SHARED ? 1 : 3) && inputs[path].imports.every(isReady)
  }
  let size
  do {
    size = starting.size
    for (const path of checking) if (isShared(path)) starting.add(path)
  } while (starting.size > size)
}

/** The groups, after joining each one that is too small for its own file with the smallest other one. */
function joined(groups, inputs) {
  const bytes = (group) => group.reduce((sum, path) => sum + inputs[path].bytes, 0)
  const little = groups.filter((group) => bytes(group) < WORTH_A_FILE)
  const [smallest = [], ...rest] = groups.filter((one) => !little.includes(one)).sort((a, b) => bytes(a) - bytes(b))
  return [[...little.flat(), ...smallest], ...rest]
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
  for (const { path, text } of files) {
    const [, names, other, given] = PASSES_ON.exec(text) ?? []
    if (names !== undefined && names === given && !ofLibrary.includes(basename(path))) others.set(basename(path), other)
  }
  const direct = (text) => text.replace(IMPORTED_ON_DEMAND, (name) => others.get(name) ?? name)
  return files.flatMap(({ path, text }) => (others.has(basename(path)) ? [] : [{ path, text: direct(text) }]))
}

/** The groups that a process loads with these modules, including those that other modules of the same groups need. */
function groupsNeeded(inputs, groups, modules) {
  const paths = closure(inputs, modules)
  const needed = new Set()
  for (const path of paths) {
    const group = groups.find((members) => members.includes(path))
    if (group === undefined || needed.has(group)) continue
    needed.add(group)
    for (const member of closure(inputs, group)) paths.add(member)
  }
  return [...needed]
}

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
