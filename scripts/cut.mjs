// Cuts dist/ into files. esbuild joins the modules that exactly the same entries need: counting the commands of the
// terminal tool, that makes some 200 files. A process takes nearly a millisecond for each file that it loads, so
// modules are joined into groups here, and an import of one module loads its group; bundlers drop the unused parts
// (pure.mjs).
import { relative } from 'node:path'
import { ENTRIES } from './entries.mjs'

const PROGRAM = 'cli/blazon.ts'
/**
 * Entries that are useful without the rest of the package, in the order of their dependencies. A module belongs to the
 * first one that needs it.
 */
const PARTS = ['core', 'document', 'keys', 'adl', 'card', 'index']
/**
 * The number of entries small enough to stay separate within the terminal tool's most frequent work: each costs it one
 * more file.
 */
const SMALL = 3
/**
 * The terminal tool's most frequent work, which must not read the modules of other commands. A module goes with the first
 * purpose here that needs it.
 */
const CHECKING = ['cli/execute.ts', 'cli/secrets.ts', 'cli/commands/validate.ts']
const PURPOSES = [['cli/run.ts', 'cli/help.ts'], CHECKING, ['bindings/document/yaml/parse.ts']]
/** Each is loaded when a document of its kind is met; what several of them need lies together, apart from each. */
const SPECIFICATIONS = ['adl', 'adl/discovery', 'card', 'a2a'].map((folder) => [`bindings/${folder}/specification.ts`])

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
 * The modules of each group. Modules that only commands need are in no group: esbuild puts them with their commands.
 */
function groupsOf(inputs) {
  const all = closure(inputs, Object.values(ENTRIES))
  const purposes = PURPOSES.map((roots) => closure(inputs, roots))
  const specifications = SPECIFICATIONS.map((roots) => closure(inputs, roots))
  const parts = PARTS.map((name) => closure(inputs, [ENTRIES[name]]))
  const small = parts.slice(0, SMALL)
  const groups = new Map()
  for (const path of new Set([...[...purposes, ...specifications].flatMap((modules) => [...modules]), ...all])) {
    // Foreign code may have effects, so only its users may load it.
    const foreign = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    const first = purposes.findIndex((modules) => modules.has(path))
    const needing = specifications.flatMap((modules, i) => (modules.has(path) ? [purposes.length + i] : []))
    const purpose = first >= 0 || needing.length === 0 ? first : needing.length > 1 ? 'several' : needing[0]
    const part = (purpose === -1 ? parts : small).findIndex((modules) => modules.has(path))
    // Nobody else may be made to load modules that only Node has.
    const name = [foreign, purpose, part, all.has(path), path.startsWith('bindings/node/')].join()
    groups.set(name, [...(groups.get(name) ?? []), path])
  }
  return [...groups.values()]
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
