// Every example of the pages, as a reader has it: copied into a file of a project that has the files of the package, and
// nothing around it.
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { name } from '../../package.json'
import { manifest } from '../../scripts/release.mjs'

const execute = promisify(execFile)
const TSGO = '@typescript/native-preview/bin/tsgo'
const project = mkdtempSync(join(tmpdir(), 'blazon-docs-'))
const PAGES = [
  'README.md',
  ...readdirSync('docs', { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((path) => path.endsWith('.md')),
]

interface Example {
  readonly place: string
  readonly file: string
  readonly code: string
}

const examples = PAGES.flatMap((page): Example[] => {
  const whole = readFileSync(page, 'utf8')
  return [...whole.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(({ 1: code, index }) => {
    const line = whole.slice(0, index).split('\n').length
    return { place: `${page}:${line}`, file: `${page.replace(/\W/g, '-')}-${line}`, code: code! }
  })
})

/** The same program, which also compares each expression that stands before a `// literal` with that literal. */
function comparing(code: string): string {
  const compared = code.replace(/^(?!import|const|let|\/\/)([a-zA-Z].*?) +\/\/ (.*)$/gm, (line, expression, said) =>
    isLiteral(said) ? `assert.deepEqual(${expression}, ${said})` : line,
  )
  return `import assert from 'node:assert/strict'\n${compared}`
}

/** Whole values: no names, nothing left out. */
function isLiteral(said: string): boolean {
  try {
    runInNewContext(`(${said})`, Object.create(null))
    return /^(?:true|false|undefined|-?\d|['"[{])/.test(said) && !said.includes('...')
  } catch {
    return false
  }
}

const typed = ({ file }: Example) => join(project, `${file}.ts`)

const walks = PAGES.flatMap((page) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```console\n([\s\S]*?)^```/gm)]
  const lines = blocks.flatMap(([, block]) => block!.split(/^\$ /m).slice(1))
  return page === 'README.md' || page.startsWith('docs/start/') ? [{ page, lines }] : []
})

test.each(walks.filter(({ lines }) => lines.length > 0))(
  '$page does in an empty folder, line by line, what it shows',
  ({ lines }) => {
    const folder = mkdtempSync(join(tmpdir(), 'blazon-start-'))
    symlinkSync(resolve('dist/cli/blazon.js'), join(folder, 'blazon'))
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` }
    for (const line of lines) {
      const [command, ...output] = line.split('\n')
      const { stdout, status } = spawnSync('sh', ['-c', command!], { cwd: folder, env, encoding: 'utf8' })
      expect([command, stdout]).toEqual([command, output.join('\n')])
      expect([command, status]).toEqual([command, stdout.startsWith('denied') ? 1 : 0])
    }
    rmSync(folder, { recursive: true })
  },
)

describe('the examples of the pages', () => {
  // test/package installs the packed package, which has these files.
  beforeAll(() => {
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
    const folder = join(project, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    for (const part of readdirSync('dist').filter((part) => !['site', 'worker'].includes(part)))
      cpSync(join('dist', part), join(folder, 'dist', part), { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest()))
  })
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  test('hold under strict', async () => {
    for (const example of examples) writeFileSync(typed(example), `${example.code}\nexport {}\n`)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2022', 'dom'],
      types: [],
      skipLibCheck: true,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: examples.map(typed) }))
    // Users of either compiler are in test/package.
    const checked = execute(process.execPath, [resolve('test/node_modules', TSGO), '-p', '.'], { cwd: project })
    const { stdout } = await checked.catch((error) => error)
    expect(examples.reduce((text, one) => text.replaceAll(`${one.file}.ts`, one.place), stdout)).toBe('')
  })

  test('run as printed, and give what they say', async () => {
    for (const { file, code } of examples) writeFileSync(join(project, `${file}.mjs`), comparing(code))
    const places = Object.fromEntries(examples.map(({ file, place }) => [`./${file}.mjs`, place]))
    // In one process, which loads the package once.
    const all = `const failed = {}
      for (const [path, place] of Object.entries(${JSON.stringify(places)}))
        await import(path).catch((error) => { failed[place] = error.stack })
      console.error(JSON.stringify(failed))`
    writeFileSync(join(project, 'all.mjs'), all)
    const { stderr } = await execute(process.execPath, ['all.mjs'], { cwd: project })
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1)!)).toEqual({})
  })
})
