// Nothing that people read or run may fetch a package by a name that somebody else could register. package.json decides:
// `name`, and `published`.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bin, name, published, version } from '../../package.json'
import { filesOf } from '../../scripts/files.mjs'
import { manifest } from '../../scripts/release.mjs'
import { renamed } from '../../scripts/rename.mjs'

/** What fetches a package: with a command of a package manager, or by an address. */
const COMMAND =
  /\b(npx|bunx|pnpx|(?:npm|pnpm|yarn|bun|deno)\s+(?:global\s+)?(?:exec|x|dlx|create|init|install|i|add|view))(\s+[^\s`|;&()]+(?:[ \t]+[^\s`|;&()]+)*)/g
const ADDRESS = /(?:\bnpm:|(?:unpkg\.com|esm\.sh|cdn\.jsdelivr\.net\/npm|esm\.run|npmjs\.com\/package)\/)([@\w./-]+)/g

/** The names of packages that a text fetches. `npx --no` fetches nothing. */
function fetched(text: string): string[] {
  const addresses = [...text.matchAll(ADDRESS)].map(([, path]) => path!.match(/^(?:@[^/]+\/)?[^/@]+/)![0])
  const commands = [...text.matchAll(COMMAND)].flatMap(([, , rest]) => {
    const words = rest!.trim().split(/[\s=]+/)
    const command = words.findIndex((word) => !word.startsWith('-'))
    if (command < 0 || words.slice(0, command).includes('--no')) return []
    return words.slice(command).map((word) => word.replace(/(?<=.)@.*$/, '').replace(/[.,:'"]+$/, ''))
  })
  return [...addresses, ...commands]
}

/** Our names that somebody else could register: the package's while it is not published, and the command's. */
const FREE = [...(published ? [] : [name]), ...Object.keys(bin).filter((command) => command !== name)]

const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'action.yml', '.pre-commit-hooks.yaml']
const folders = ['.github', 'docs', 'cli', 'bindings', 'edge', 'browser-demo', 'scripts', 'fixtures/cli']
const written = [...files, ...folders.flatMap(filesOf)].filter((path) =>
  /\.(md|ya?ml|[mc]?[jt]s|jsonc?|html|txt)$/.test(path),
)

describe('the names that a text fetches', () => {
  test.each([
    ['`npx blazon` fetches', ['blazon', 'fetches']],
    ['npx --yes blazon@0.1.0 validate', ['blazon', 'validate']],
    ['npm install --global blazon', ['blazon']],
    ['npm i blazon', ['blazon']],
    ['pnpm add -D @acme/blazon@1', ['@acme/blazon']],
    ['yarn dlx blazon', ['blazon']],
    ['npm exec --package=blazon -- validate', ['blazon', '--', 'validate']],
    ['npx wrangler deploy\n\nblazon publish', ['wrangler', 'deploy']],
    ["import 'npm:blazon@1/adl'", ['blazon']],
    ['https://esm.sh/blazon/core', ['blazon']],
    ['https://unpkg.com/@acme/blazon@1', ['@acme/blazon']],
    ['npx --no blazon validate', []],
    ['npm install /path/to/blazon', ['/path/to/blazon']],
    ['npm run build', []],
  ])('%s', (text, names) => {
    // What stands after the name and is no option counts as a name as well: it refuses more, never less.
    expect(fetched(text.replaceAll('`', ' '))).toEqual(names)
  })
})

test('no file fetches a package by a name that is free to register', () => {
  expect(written.length).toBeGreaterThan(500)
  const wrong = written.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const names = fetched(text).filter((one) => FREE.includes(one))
    return names.length > 0 || (!published && text.includes(`${name}@${version}`)) ? [`${path}: ${names}`] : []
  })
  expect(wrong).toEqual([])
})

test('the packed package says neither that it is private nor whether it is published', () => {
  const { private: kept, published: said } = manifest({}) as { private?: boolean; published?: boolean }
  expect([kept, said]).toEqual([undefined, undefined])
})

/** Each `uses:` of a workflow, an action or an example in a page, with the comment that names its version. */
const used = written.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/^\s*-? *uses: *(\S+)(?: *# *(\S+))?$/gm)].map(([, action, tag]) => ({
    path,
    action: action!,
    tag,
  })),
)

test('every action is named by its commit, with its version behind it, and by one commit everywhere', () => {
  const pins = new Map<string, string>()
  for (const { path, action, tag } of used.filter(({ action }) => !/^(?:OWNER\/|\$\{)/.test(action))) {
    const [repository, commit] = action.split('@')
    expect([path, action, tag]).toEqual([
      path,
      expect.stringMatching(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/),
      expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    ])
    expect([repository, pins.get(repository!) ?? commit]).toEqual([repository, commit])
    pins.set(repository!, commit!)
  }
  expect([...pins.keys()].sort()).toEqual(
    expect.arrayContaining(['actions/checkout', 'actions/setup-node', 'github/codeql-action/upload-sarif']),
  )
})

test('the action and the hooks name no package', () => {
  const { runs } = parse(readFileSync('action.yml', 'utf8')) as { runs: { steps: { run?: string }[] } }
  const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as { entry: string }[]
  const commands = [...runs.steps.flatMap(({ run }) => run ?? []), ...hooks.map(({ entry }) => entry)]
  for (const command of commands) expect(command).toMatch(/(^|\$GITHUB_ACTION_PATH\/)scripts\/blazon\.mjs/)
})

test.each([
  ["import { sign } from 'blazon/adl'", "import { sign } from '@acme/blazon/adl'"],
  ["const { parse } = await import('blazon')", "const { parse } = await import('@acme/blazon')"],
  [
    '`blazon/adl` has everything, `blazon/core.wasm` too',
    '`@acme/blazon/adl` has everything, `@acme/blazon/core.wasm` too',
  ],
  ['"./node_modules/blazon/dist/schemas/card.json"', '"./node_modules/@acme/blazon/dist/schemas/card.json"'],
  [" * `connect` of 'blazon/adl'", " * `connect` of '@acme/blazon/adl'"],
])('another name for the package: %s', (text, expected) => {
  expect(renamed(text, 'blazon', '@acme/blazon', ['adl', 'card'])).toBe(expected)
  expect(renamed(expected, '@acme/blazon', 'blazon', ['adl', 'card'])).toBe(text)
})

test.each([
  "const DIALECT = 'blazon/adl/1\\n'",
  "export const META = 'blazon/adl'",
  'it stands in `_meta` under `blazon/adl`',
  'blazon sign agent.json',
  'urn:blazon:schema:card',
])('what is no name of the package stays: %s', (text) => {
  expect(renamed(text, 'blazon', '@acme/blazon', ['adl', 'card'])).toBe(text)
})

test('every source imports the package by the name that package.json has', () => {
  const imported = written.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\b(?:from|import) ?\(?'((?:@[\w-]+\/)?blazon)(?=['/])/g)].map(
      ([, one]) => one,
    ),
  )
  expect([imported.length > 100, [...new Set(imported)]]).toEqual([true, [name]])
})
