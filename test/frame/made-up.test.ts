// A made-up specification that shows what a new one needs, so that every part of Blazon supports it: its folder, which
// is fixtures/made-up, and a row a kind. They are put into a copy of the sources, which is then built like the package.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from '../../bindings/kinds.ts'
import { filesOf } from '../../scripts/files.mjs'
import { type Server, startServer } from '../edge/server.ts'

const execute = promisify(execFile)
const COPY = resolve('.scratch/made-up')
const SOURCES = [
  'bindings',
  'browser-demo',
  'cli',
  'core',
  'docs',
  'edge',
  'fixtures',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'LICENSE',
]

/** The only change outside its folder: a row for each of its kinds. */
const LIST = 'bindings/specifications.ts'
const BEFORE = 'SPECIFICATIONS: readonly SpecificationRow[] = [\n'

let server: Server
let library: typeof import('../../bindings/index.ts')

async function blazon(
  args: readonly string[],
  stdin: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = execute(process.execPath, [`${COPY}/dist/cli/blazon.js`, ...args], { cwd: COPY })
  run.child.stdin!.end(stdin)
  try {
    return { code: 0, ...(await run) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

beforeAll(async () => {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const path of SOURCES.flatMap(filesOf)) cpSync(path, `${COPY}/${path}`)
  symlinkSync(resolve('node_modules'), `${COPY}/node_modules`)
  cpSync('fixtures/made-up', `${COPY}/bindings/made-up`, { recursive: true })
  const parts = readFileSync(LIST, 'utf8').split(BEFORE)
  expect(parts).toHaveLength(2)
  writeFileSync(`${COPY}/${LIST}`, parts.join(BEFORE + readFileSync('fixtures/made-up/rows.txt', 'utf8')))
  // The core is the same. Compiling it again would take six seconds.
  writeFileSync(
    `${COPY}/scripts/core.mjs`,
    `import { copyFileSync } from 'node:fs'
    import { basename } from 'node:path'
    export async function compileCore(file) {
      copyFileSync(\`${resolve('dist/wasm')}/\${basename(file)}\`, file)
      return ''
    }`,
  )
  // Nothing here reads the declarations, which take most of the time of a build.
  writeFileSync(`${COPY}/scripts/types.mjs`, 'export const writeTypes = () => {}\n')
  // The page is not opened. Building it would take a third of the time.
  writeFileSync(
    `${COPY}/scripts/page.mjs`,
    `import { mkdirSync, writeFileSync } from 'node:fs'
    export async function buildSite(folder) {
      mkdirSync(\`\${folder}/app\`, { recursive: true })
      writeFileSync(\`\${folder}/app/index.html\`, '')
      return []
    }`,
  )
  writeFileSync(`${COPY}/scripts/docs/site.mjs`, 'export const DOCS = []\nexport const buildDocs = async () => {}\n')
  await execute(process.execPath, ['scripts/build.mjs'], { cwd: COPY })
  library = await import(pathToFileURL(`${COPY}/dist/index.js`).href)
  server = await startServer({}, `${COPY}/`)
})

afterAll(async () => {
  await server?.stop()
  if (existsSync(COPY)) rmSync(COPY, { recursive: true, force: true })
})

const BLAND = '{"recipe": "Soup"}'
const NAMELESS = '{"recipe": "", "salt": 1}'
const MENUS = '{"dishes": ["Soup"]}\n\n  {"dishes": []}\n'
const TIP = '---\nabout: salt\n---\nUse little salt.\n'

describe('a made-up specification', () => {
  test('is checked by its rules in the library, the CLI and the Worker', async () => {
    for (const [source, kind, codes, exit] of [
      [BLAND, 'recipe', ['COOK-102'], 0],
      [NAMELESS, 'recipe', ['COOK-101'], 1],
      ['{"recipe": 1, "recipe": 2}', undefined, ['DOC-107'], 1],
    ] as const) {
      const report = library.validate(source)
      expect([report.kind, report.diagnostics.map(({ code }) => code)]).toEqual([kind, codes])
      const { code, stdout } = await blazon(['validate', '-', '--format', 'json'], source)
      expect([code, JSON.parse(stdout).results[0].diagnostics.map((one: { code: string }) => one.code)]).toEqual([
        exit,
        codes,
      ])
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${server.origin}/v1/validate`, { method: 'POST', body: source, headers })
      expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(report)))
    }
  })

  test.each([
    ['menus/monday.jsonl', MENUS, 'menu', [['COOK-103', '/1/dishes', 3, 14]]],
    ['menus/monday.jsonl', '{"dishes": []}\n[]', 'menu', [['COOK-100', '/1', 2, 1]]],
    ['menus/monday.jsonl', '{"dishes": []}\n{"dishes"}', 'menu', [['DOC-101', '/1/dishes', 2, 10]]],
    ['TIP.md', TIP, 'tip', []],
    ['a/tip.md', TIP.replace('salt.', 'sugar.'), 'tip', [['COOK-104', '/about', 2, 8]]],
    ['TIP.md', TIP.replace('salt', '[salt'), 'tip', [['DOC-190', '/about', 3, 1]]],
    ['TIP.md', 'Use little salt.', 'tip', [['COOK-104', '/about', 1, 1]]],
    ['soup.recipe.json', '{"adl_spec": "0.1.0", "salt": 1}', 'recipe', []],
  ])('reads %s in its form, whatever its members are: %j', async (file, source, kind, expected) => {
    const report = library.validate(source, { file })
    const found = report.diagnostics.map(({ code, source }) => [code, source.pointer, source.line, source.column])
    expect([report.kind, found]).toEqual([kind, expected])
    const { stdout } = await blazon(['validate', '-', '--stdin-filepath', file, '--format', 'json'], source)
    expect(JSON.parse(stdout).results[0]).toMatchObject({ kind, diagnostics: report.diagnostics })
  })

  test('has limits of its own', () => {
    const deep = (levels: number) => `{"recipe": "Soup", "salt": ${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(library.validate(deep(39)).valid).toBe(true)
    expect(library.validate(deep(40)).diagnostics.map(({ code }) => code)).toEqual(['DOC-113'])
    const large = (bytes: number) => `{"recipe": "Soup", "salt": "${'x'.repeat(bytes - 30)}"}`
    expect(library.validate(large(2 ** 21)).valid).toBe(true)
    expect(library.validate(large(2 ** 21 + 1)).diagnostics.map(({ code }) => code)).toEqual(['DOC-114'])
  })

  test('has explanations', async () => {
    const { code, stdout } = await blazon(['explain', 'COOK-103', 'recipe-seal'], '')
    expect(code).toBe(0)
    expect(stdout).toContain('COOK-103 menu-dishes: Menu without dishes')
    expect(stdout).toContain('COOK-150 recipe-seal: No seal that holds')
  })

  test('its rules can be turned off, and misspelled rule names are refused', async () => {
    expect((await blazon(['validate', '-', '--rule', 'recipe-name=off'], NAMELESS)).code).toBe(0)
    const { code, stderr } = await blazon(['validate', '-', '--rule', 'recipe-nam=off'], NAMELESS)
    expect([code, stderr.includes('did you mean recipe-name')]).toEqual([2, true])
  })

  test('has a template', async () => {
    const { code, stdout } = await blazon(['init', 'soup.json', '--kind', 'recipe', '--dry-run'], '')
    expect([code, JSON.parse(stdout)]).toEqual([0, { recipe: 'Soup', salt: 1 }])
  })

  test('is signed and verified', async () => {
    const { generateKey } = await import('../../bindings/keys/index.ts')
    const { exportKey } = await import('../../bindings/keys/index.ts')
    const key = await generateKey('Ed25519')
    const pem = String(await exportKey(key, 'pem'))
    const { bytes } = await library.sign(BLAND, pem)
    const { verdict, steps } = await library.verify(bytes!, { expect: { keys: [pem] } })
    expect([verdict, steps.map(({ name }) => name)]).toEqual(['verified', ['canonical-form', 'seal', 'taste']])
    const changed = new TextDecoder().decode(bytes).replace('Soup', 'Soap')
    expect((await library.verify(changed, { expect: { keys: [pem] } })).verdict).toBe('failed')
    expect((await library.sign(MENUS, pem, { as: 'menu' as Kind })).diagnostics.map(({ code }) => code)).toEqual([
      'DOC-126',
    ])
    writeFileSync(`${COPY}/cook.key`, pem, { mode: 0o600 })
    const signed = await blazon(['sign', '-', '--key', 'cook.key'], BLAND)
    expect([signed.code, signed.stderr]).toEqual([0, ''])
    const verified = await blazon(['verify', '-', '--key', 'cook.key'], signed.stdout)
    expect([verified.code, verified.stdout.split('\n')[0]]).toEqual([0, '<stdin>: verified'])
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${server.origin}/v1/verify`, { method: 'POST', body: signed.stdout, headers })
    expect(await answer.json()).toMatchObject({
      verdict: 'failed',
      steps: [{}, { name: 'seal', diagnostic: { code: 'COOK-150' } }],
    })
  })

  test('what it needs is asked for everywhere: an option, and a file next to the document', async () => {
    const { generateKey, exportKey } = await import('../../bindings/keys/index.ts')
    const pem = String(await exportKey(await generateKey('Ed25519'), 'pem'))
    const { bytes } = await library.sign(BLAND, pem)
    const encode = (text: string) => new TextEncoder().encode(text)
    const given = { taste: { file: 'soup.taste', bytes: encode('good') }, spoon: [{ file: 'a', bytes: encode('a') }] }
    const proof = await library.verify(bytes!, { expect: { keys: [pem] }, given })
    expect([proof.verdict, proof.steps.at(-1)]).toMatchObject([
      'verified',
      { name: 'taste', detail: 'good, with 1 spoon' },
    ])
    for (const [name, content] of Object.entries({
      'soup.recipe.json': bytes!,
      'soup.taste': 'good',
      a: 'a',
      'cook.key': pem,
    }))
      writeFileSync(`${COPY}/${name}`, content, { mode: 0o600 })
    const argv = ['verify', 'soup.recipe.json', '--key', 'cook.key']
    const bare = await blazon(argv, '')
    expect([bare.code, bare.stdout]).toEqual([4, expect.stringContaining('with which spoon?')])
    expect((await blazon([...argv, '--spoon', 'a'], '')).stdout).toContain('good, with 1 spoon')
    expect((await blazon(['verify', '--help'], '')).stdout).toContain('--spoon FILE          the spoons')
    const form = new FormData()
    form.append('document', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'soup.recipe.json')
    form.append('taste', new Blob(['good']), 'soup.taste')
    form.append('spoon', new Blob(['a']), 'a')
    const query = `publicKey=${encodeURIComponent(pem)}`
    const answer = await fetch(`${server.origin}/v1/verify?${query}`, { method: 'POST', body: form })
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(proof)))
  })
})
