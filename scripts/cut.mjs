// Cuts dist/ into files. esbuild joins the modules that exactly the same entries need: counting the commands of the
// terminal tool, that makes some 200 files. A process takes nearly a millisecond for each file that it loads, so
// modules are joined into groups here, and an import of one module loads its group; bundlers drop the unused parts
// (pure.mjs).
import { basename, relative } from 'node:path'
import { ENTRIES } from './entries.mjs'

const PROGRAM = 'cli/blazon.ts'
/** A file of one import and of one export of the same names. */
const PASSES_ON = /^import \{([^{}]*)\} from "\.\/([\w-]+\.js)";\s*export \{([^{}]*)\};\s*$/
const IMPORTED_ON_DEMAND = /(?<=import\("[./]*(?:chunks\/)?)[\w-]+\.js(?="\))/g
/** It is imported on demand by the library: what lies with it, a bundler keeps whole. */
const DID = ['bindings/net/did.ts']
/** What verifies documents in JSON: it lies apart from what reads YAML. */
const VERIFYING = ['bindings/wellknown/verifying.ts']
/** What discovers, live or again: a replay loads nothing of the rest of the library. */
const DISCOVERING = ['bindings/discover/trace/replay.ts', 'bindings/discover/dns/dnssec/chain.ts']
/** What the commands that discover share of a folder: apart, each would read two files more. */
const ASKING = { root: 'cli/commands/discover.ts', folder: 'cli/discover/' }
const ALONE = [DID, VERIFYING]
/** Small enough to stay separate within the terminal tool's most frequent work: each costs it one more file. */
const SMALL = [['core'], ['document']]
/**
 * Entries that are useful without the rest of the package, and modules that are, in the order of their dependencies. A module
 * belongs to the first one that needs it.
 */
const PARTS = [VERIFYING, ...SMALL, ['keys'], ['adl'], ['card'], DID, ['convert'], ['index'], DISCOVERING]
/** The bytes of source below which a group lies with others that the same purpose needs. */
const WORTH_A_FILE = 25_000
/** The terminal tool's most frequent work, which must not read the modules of other commands. */
const CHECKING = ['cli/execute.ts', 'cli/secrets.ts', 'cli/commands/validate.ts']
/** A module goes with the first that needs it. What finds a command lies with what checks: apart, each start read two files more. */
const PURPOSES = [['cli/run.ts', 'cli/help.ts', ...CHECKING], ['bindings/document/yaml/parse.ts']]
/** Each is loaded when a document of its kind is met; what several of them need lies together, apart from each. */
const SPECIFICATIONS = [
  'adl',
  'adl/discovery',
  'card',
  'a2a',
  'wellknown',
  'wellknown/invite',
  'discover/trace',
  'mcp-server',
  'ai-catalog',
].map((folder) => [`bindings/${folder}/specification.ts`])

/** An esbuild plugin that joins the modules of `metafile`, which is from the same build without it. */
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
      // Not added to the module itself: if a member of the group imports that module, it would run before its
      // dependencies.
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

/**
 * The modules of each group. Other modules that only commands need are in no group: esbuild puts them with their commands.
 */
function groupsOf(inputs) {
  const all = closure(inputs, Object.values(ENTRIES))
  const purposes = PURPOSES.map((roots) => closure(inputs, roots))
  const specifications = SPECIFICATIONS.map((roots) => closure(inputs, roots))
  const modulesOf = new Map(
    PARTS.map((names) => [
      names,
      closure(
        inputs,
        names.map((name) => ENTRIES[name] ?? name),
      ),
    ]),
  )
  const groups = new Map()
  for (const path of new Set([...[...purposes, ...specifications].flatMap((modules) => [...modules]), ...all])) {
    // Foreign code may have effects, so only its users may load it.
    const foreign = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    const first = purposes.findIndex((modules) => modules.has(path))
    const needing = specifications.flatMap((modules, i) => (modules.has(path) ? [purposes.length + i] : []))
    // What definitions do not need is not read with what they share with others: they are checked the most.
    const several = needing.includes(purposes.length) ? 'definitions and others' : 'several'
    const purpose = first >= 0 || needing.length === 0 ? first : needing.length > 1 ? several : needing[0]
    const part = (purpose === -1 ? PARTS : SMALL).find((names) => modulesOf.get(names).has(path))
    // Nobody else may be made to load modules that only Node has.
    const alone = ALONE.includes(part) && part
    const together = [foreign, purpose, all.has(path), path.startsWith('bindings/node/'), alone].join()
    groups.set(together, groups.get(together) ?? new Map())
    groups.get(together).set(part, [...(groups.get(together).get(part) ?? []), path])
  }
  const asking = [...closure(inputs, [ASKING.root])].filter((path) => path.startsWith(ASKING.folder))
  return [...[...groups.values()].flatMap((byPart) => joined([...byPart.values()], inputs)), asking]
}

/** The groups, of which those that are not worth a file lie with the smallest other one. */
function joined(groups, inputs) {
  const bytes = (group) => group.reduce((sum, path) => sum + inputs[path].bytes, 0)
  const [smallest = [], ...rest] = groups
    .filter((group) => bytes(group) >= WORTH_A_FILE)
    .sort((a, b) => bytes(a) - bytes(b))
  const little = groups.filter((group) => bytes(group) < WORTH_A_FILE)
  return [[...little.flat(), ...smallest], ...rest]
}

/**
 * The files without those that only pass on what another has, which cost a process nearly a millisecond each: an import
 * of one leads to that other. Only what the terminal tool alone imports: a bundler keeps the whole of what is imported on
 * demand.
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
