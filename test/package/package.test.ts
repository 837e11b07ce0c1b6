import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { name } from '../../package.json'
import { ENTRIES } from '../../scripts/entries.mjs'
import { manifest, pack, packageProblems, withoutFarLinks } from '../../scripts/release.mjs'
import { findChromium, npmCommand } from '../../scripts/setup.mjs'
import { bundleWorker } from '../../scripts/worker.mjs'
import { IS_WHOLE } from '../support/cases.ts'

// The package as its users get it: packed, installed from the tarball in an empty project, without network.

const execute = promisify(execFile)
const FIXTURES = resolve('test/package')
const project = mkdtempSync(join(tmpdir(), 'blazon-package-'))

const [command, ...first] = npmCommand()
const runNpm = (args: string[], cwd: string) => execute(command, [...first, ...args], { cwd })

beforeAll(async () => {
  const archive = await pack(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n')
  await runNpm(['install', archive, '--offline', '--no-audit', '--no-fund'], project)
  for (const file of readdirSync(FIXTURES)) {
    if (file !== 'package.test.ts') copyFileSync(join(FIXTURES, file), join(project, file))
  }
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

test('brings nothing else along, and no sources', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    name.split('/')[0],
  ])
  const installed = readdirSync(join(project, 'node_modules', name))
  expect(installed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']))
  expect(installed).not.toEqual(expect.arrayContaining(['core', 'bindings', 'test']))
})

test('says nothing of how it was made', () => {
  const {
    private: kept,
    scripts,
    devDependencies,
    dependencies,
    keywords,
  } = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'))
  expect([kept, scripts, devDependencies, dependencies]).toEqual([undefined, undefined, undefined, undefined])
  expect(keywords).toContain('agent')
})

test('has every page that its pages link to, and what package.json names', () => {
  expect(packageProblems(join(project, 'node_modules', name))).toEqual([])
})

test('names the pages that only the repository has, and links to its own', () => {
  const page = join(project, 'page.md')
  const text = '[a](a.md) [b `c`](b.md#c) [d](https://example.com/d.md) [e](e.md)\n```\n[b](b.md)\n```\n[b](b.md)\n'
  for (const [name, of] of Object.entries({ 'page.md': text, 'a.md': '', 'b.md': '' }))
    writeFileSync(join(project, name), of)
  const folder = mkdtempSync(join(project, 'staged-'))
  mkdirSync(join(folder, project), { recursive: true })
  copyFileSync(join(project, 'a.md'), join(folder, project, 'a.md'))
  const b = `(in the repository: ${join(project, 'b.md').replaceAll('\\', '/')})`
  expect(withoutFarLinks(page, folder)).toBe(
    `[a](a.md) b \`c\` ${b} [d](https://example.com/d.md) [e](e.md)\n\`\`\`\n[b](b.md)\n\`\`\`\nb ${b}\n`,
  )
})

test('is not packed without a build, or with a link that leads nowhere', () => {
  const folder = join(project, 'unbuilt')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "exports": { ".": { "types": "./a.d.ts", "default": "./a.js" } } }')
  writeFileSync(join(folder, 'a.d.ts'), '')
  writeFileSync(join(folder, 'a.md'), '# A (b)\n[a](a.md#a-b) [b](b.md) [c](#c) [d](https://example.com/d.md)\n')
  expect(packageProblems(folder)).toEqual([
    './a.js is missing: npm run build makes it',
    `${folder}/a.md: b.md leads nowhere`,
    `${folder}/a.md: #c is no heading`,
  ])
})

test('says where the project is, when that is known', () => {
  const address = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'maintainers/blazon' }
  expect(manifest(address)).toMatchObject({
    homepage: 'https://git.example/maintainers/blazon#readme',
    repository: { type: 'git', url: 'git+https://git.example/maintainers/blazon.git' },
    bugs: { url: 'https://git.example/maintainers/blazon/issues' },
  })
  const { homepage, repository, bugs } = manifest({})
  expect([homepage, repository, bugs]).toEqual([undefined, undefined, undefined])
})

test('a bare npm pack is refused without a build, where npm runs scripts', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const folder = join(project, 'bare')
  mkdirSync(folder)
  const names = { name: 'bare', version: '1.0.0', exports: './a.js', scripts: { prepack: inPlace(scripts.prepack) } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(names))
  const bare = () => runNpm(['pack', '--dry-run', '--ignore-scripts=false'], folder)
  const { stderr } = await bare().catch((refusal) => refusal)
  for (const words of ['./a.js is missing: npm run build', 'npm run release']) expect(stderr).toContain(words)
  writeFileSync(join(folder, 'a.js'), '')
  await bare()
})

/** A script of package.json, run from another folder. */
const inPlace = (script: string) => script.replace(/scripts\/\S+/, (path) => JSON.stringify(resolve(path)))

test('works in Node', async () => {
  const { stdout } = await execute(process.execPath, ['node.mjs'], { cwd: project })
  expect(JSON.parse(stdout)).toEqual({
    canonical: '{"a":2,"b":1}',
    matches: true,
    rendered: 'Hello Ada',
    number: '1e+21',
    oneError: true,
    refused: 3,
    Ed25519: 'verified',
    Ed448: 'verified',
    guard: 'address',
  })
})

test('works in a bundled page', async (context) => {
  const found = findChromium()
  if (!found.available) {
    console.warn(`NOT RUN: the package in a page: ${found.reason}`)
    return context.skip(found.reason)
  }
  const { outputFiles } = await build({
    entryPoints: [join(project, 'page.mjs')],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  })
  const browser = await chromium.launch({ executablePath: found.how, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(240_000)
    await page.addScriptTag({ content: outputFiles[0]!.text })
    expect(await page.evaluate('result')).toEqual({ canonical: '{"a":2,"b":1}', matches: true })
  } finally {
    await browser.close()
  }
})

test('works in a Worker, with the module imported and not compiled from bytes', async () => {
  const { modulesRoot, modules } = await bundleWorker(join(project, 'worker.mjs'))
  expect(modules.map(({ type }) => type)).toEqual(['ESModule', 'CompiledWasm'])
  const miniflare = new Miniflare({ compatibilityDate: '2026-04-01', modulesRoot, modules })
  try {
    const response = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body: '{"b":1.0,"a":2}' })
    expect(await response.text()).toBe('{"a":2,"b":1}')
  } finally {
    await miniflare.dispose()
  }
})

test('brings the command line', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const npx = (...args: string[]) => [...first, 'exec', '--offline', '--', 'blazon', ...args]
  const { stdout } = await execute(command!, npx('--version'), { cwd: project })
  expect(stdout).toContain(version)
  const canonicalized = spawnSync(command!, npx('canonicalize', '-'), { cwd: project, input: ' { "b": 1, "a": 2.0 } ' })
  expect(canonicalized.stdout.toString()).toBe('{"a":2,"b":1}')
})

test.each(['core.wasm', 'core-baseline.wasm'])('exports %s, which needs nothing from its host', async (file) => {
  const script = `
    import { readFileSync } from 'node:fs'
    const bytes = readFileSync(new URL(import.meta.resolve('${name}/${file}')))
    const { instance } = await WebAssembly.instantiate(bytes, {})
    console.log(instance.exports.abiVersion())
  `
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: project })
  expect(Number(stdout)).toBeGreaterThanOrEqual(1)
})

/** Every entry, for programs whose libraries declare nothing of a host. */
const EVERYTHING = Object.keys(ENTRIES)
  .map((entry, i) => `export * as entry${i} from '${name}${entry === 'index' ? '' : `/${entry}`}'\n`)
  .join('')

// Users have either compiler. The slower one in long runs: the build made the declarations with it.
test.each([
  ['../test/node_modules/@typescript/native-preview/bin/tsgo', 'nodenext', 'consumer.ts', ['es2022', 'dom']],
  ['../test/node_modules/@typescript/native-preview/bin/tsgo', 'bundler', 'consumer.ts', ['es2022', 'dom']],
  ['../test/node_modules/@typescript/native-preview/bin/tsgo', 'nodenext', 'everything.ts', ['es2022']],
  ...(IS_WHOLE ? [['typescript/bin/tsc', 'nodenext', 'everything.ts', ['es2022']] as const] : []),
] as const)('has whole declarations (%s, moduleResolution %s, %s, %j)', async (compiler, resolution, file, lib) => {
  mkdirSync(join(project, resolution), { recursive: true })
  writeFileSync(join(project, 'everything.ts'), EVERYTHING)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib,
    types: [],
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
  }
  const config = join(project, resolution, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`../${file}`] }))
  const run = execute(process.execPath, [resolve('node_modules', compiler), '-p', config], { cwd: project })
  await expect(run.catch((error) => error.stdout)).resolves.toMatchObject({ stdout: '' })
})
