// Every example in JavaScript of the pages that are packed: under `strict`, in Node, with the package by its name.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { ASK, GIVEN } from './given.ts'

const execute = promisify(execFile)
const SCRATCH = '.scratch/docs'
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

/** With what it presupposes before it, and each `// literal` behind an expression compared with its value. */
function programOf(code: string): string {
  const given: string[] = []
  const give = (used: string) => {
    for (const [name, value] of Object.entries(GIVEN)) {
      if (!uses(used, name) || makes(code, name) || given.some((line) => line.startsWith(`const ${name} `))) continue
      give(value)
      given.push(`const ${name} = ${value}`)
    }
  }
  give(code)
  const promised = code.replace(/^(?!import|const|let|\/\/)([a-zA-Z].*?) +\/\/ (.*)$/gm, (line, expression, said) =>
    isLiteral(said) ? `assert.deepEqual(${expression}, ${said})` : line,
  )
  return [`import assert from 'node:assert/strict'`, ...given, promised, 'export {}', ''].join('\n')
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

const makes = (code: string, name: string) =>
  new RegExp(`(?:const|let|import) (?:${name}\\b|\\{[^}]*\\b${name}(?=[ ,}])(?!:))`).test(code)

function uses(code: string, name: string): boolean {
  const bare = code.replace(/\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
  return new RegExp(`(?<![.\\w$])${name}(?![\\w$]|: )`).test(bare)
}

const pathOf = ({ file }: Example) => resolve(SCRATCH, `${file}.ts`)

describe.each(readdirSync('docs/start'))('docs/start/%s', (page) => {
  const lines = [...readFileSync(`docs/start/${page}`, 'utf8').matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(
    ([, block]) => block!.split(/^\$ /m).slice(1),
  )
  test.runIf(lines.length > 0)('does in a folder, line by line, what it shows', () => {
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
  })
})

describe('the examples of the pages', () => {
  beforeAll(() => {
    rmSync(SCRATCH, { recursive: true, force: true })
    mkdirSync(SCRATCH, { recursive: true })
    for (const example of examples) writeFileSync(pathOf(example), programOf(example.code))
  })

  test('hold under strict', () => {
    const program = ts.createProgram(examples.map(pathOf), {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: ['node'],
      skipLibCheck: true,
    })
    const wrong = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const example = examples.find((one) => file !== undefined && pathOf(one) === resolve(file.fileName))
      const line = file!.text.slice(0, start).split('\n').length
      return `${example?.place} ${file!.text.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
    expect(wrong).toEqual([])
  })

  test.each(examples.filter(({ code }) => !ASK.some((address) => code.includes(address))))(
    '$place runs, and gives what it says',
    async (example) => {
      const { code } = await transform(readFileSync(pathOf(example), 'utf8'), { loader: 'ts', format: 'esm' })
      writeFileSync(`${SCRATCH}/${example.file}.mjs`, code)
      const run = execute(process.execPath, [`${SCRATCH}/${example.file}.mjs`], { timeout: 240_000 })
      await expect(
        run.then(
          () => '',
          (error) => error.stderr,
        ),
      ).resolves.toBe('')
    },
  )
})
