// What other tools run of Blazon: the step of GitHub Actions and the hooks of pre-commit. Both run this checkout.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[]
  }
}

interface Hook {
  readonly id: string
  readonly language: string
  readonly entry: string
  readonly files: string
  readonly pass_filenames?: boolean
}

const { inputs, runs }: Action = parse(readFileSync('action.yml', 'utf8'))
const hooks: readonly Hook[] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8'))

const GOOD = readFileSync('fixtures/adl/invoice-processor.json', 'utf8')
const BAD = '{"adl_spec": "0.1.0", "name": "A"}\n'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  mkdirSync(join(folder, 'agents'))
  writeFileSync(join(folder, 'good.adl.json'), GOOD)
  writeFileSync(join(folder, 'agents', 'bad.adl.json'), BAD)
})
afterAll(() => rmSync(folder, { recursive: true }))

function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  // GitHub's own way to run a step of bash.
  const argv = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
  return spawnSync('bash', argv, {
    cwd: folder,
    env: { PATH: process.env['PATH'], GITHUB_ACTION_PATH: resolve('.'), ...env },
    encoding: 'utf8',
  })
}

/** Runs the step with these inputs, and those that are absent as action.yml has them. */
function act(given: Readonly<Record<string, string>>) {
  const { run, env } = runs.steps[0]!
  const value = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, name: string) => given[name] ?? inputs[name]!.default)
  const summary = given['summary'] === undefined ? {} : { GITHUB_STEP_SUMMARY: given['summary'] }
  return shell(run!, {
    ...Object.fromEntries(Object.entries(env!).map(([name, text]) => [name, value(text)])),
    ...summary,
  })
}

describe.runIf(existsSync('dist/cli/blazon.js'))('the step of GitHub Actions', () => {
  test('fails at a faulty definition, at its line, and writes a report for code scanning', () => {
    const { status, stdout } = act({})
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^::error file=agents\/bad\.adl\.json,line=1,/m)])
    const { version: sarif, runs: reported } = JSON.parse(readFileSync(join(folder, 'blazon.sarif'), 'utf8'))
    expect([sarif, reported[0].results.length > 0]).toEqual(['2.1.0', true])
    act({ summary: join(folder, 'summary.md') })
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(/^## blazon validate\n\n2 documents, 1 valid/)
  })

  test('takes files, globs and a level', () => {
    expect(act({ files: 'good.adl.json' }).status).toBe(0)
    expect(act({ files: 'good.adl.json agents/*.json' }).status).toBe(1)
    writeFileSync(join(folder, 'warned.adl.json'), JSON.stringify({ ...JSON.parse(GOOD), id: 'urn:' }))
    expect(act({ files: 'warned.adl.json' }).status).toBe(0)
    expect(act({ files: 'warned.adl.json', 'fail-on': 'warning' }).status).toBe(1)
  })

  test('carries out nothing that an input holds', () => {
    const { status } = act({ files: '$(touch owned) ; touch owned `touch owned` --write-baseline owned' })
    expect([status, existsSync(join(folder, 'owned'))]).toEqual([3, false])
  })
})

describe.runIf(existsSync('dist/cli/blazon.js'))('the hooks of pre-commit', () => {
  test.each(hooks.map((hook) => [hook.id, hook] as const))(
    '%s refuses a faulty file, and no other',
    (id, { language, entry, files, pass_filenames: passes = true }) => {
      expect(language).toBe('script')
      const isFor = new RegExp(files)
      const taken = ['a/b.adl.json', 'a.adl.yaml', 's.card.json', 'package.json', 'x.ts'].filter((name) =>
        isFor.test(name),
      )
      expect(taken).toEqual(['a/b.adl.json', 'a.adl.yaml', 's.card.json', ...(passes ? [] : ['package.json'])])
      // pre-commit runs a script by its path in the checkout of the hooks, in the repository.
      const hook = (name: string, text: string) => {
        mkdirSync(join(folder, id, name), { recursive: true })
        writeFileSync(join(folder, id, name, 'x.adl.json'), text)
        return shell(`cd ${id}/${name}; ${join(resolve('.'), entry)} ${passes ? 'x.adl.json' : ''}`).status
      }
      expect(hook('untidy', '{"a":\n1,   "a": 2}')).toBe(1)
      expect(hook('tidy', shell(`${resolve('scripts/blazon.mjs')} fmt good.adl.json`).stdout)).toBe(0)
    },
  )
})

test('a checkout without a build builds itself once, and prints nothing but what the tool prints', () => {
  const checkout = join(folder, 'checkout')
  mkdirSync(join(checkout, 'scripts'), { recursive: true })
  cpSync('scripts/blazon.mjs', join(checkout, 'scripts/blazon.mjs'))
  writeFileSync(join(checkout, 'scripts/setup.mjs'), 'export const ensureInstalled = () => console.error("installed")')
  const build = `import { mkdirSync, writeFileSync } from 'node:fs'
    console.log('built in', process.cwd())
    mkdirSync('dist/cli', { recursive: true })
    writeFileSync('dist/cli/blazon.js', 'console.log(process.cwd(), process.argv[2])')`
  writeFileSync(join(checkout, 'scripts/build.mjs'), build)
  const [first, second] = [0, 1].map(() => shell(`${checkout}/scripts/blazon.mjs validate`))
  expect([first?.stdout, first?.stderr]).toEqual([`${folder} validate\n`, `installed\nbuilt in ${checkout}\n`])
  expect([second?.stdout, second?.stderr]).toEqual([`${folder} validate\n`, ''])
})

test.runIf(existsSync('dist/cli/blazon.js'))('a Node that is too old learns which one is needed', () => {
  // Node 18 has no such function, and whatever else is missing in it comes later.
  const older = ['--import', 'data:text/javascript,delete process.getBuiltinModule', 'dist/cli/blazon.js', '--version']
  const { status, stderr } = spawnSync(process.execPath, older, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^Blazon needs Node 20\.19 or later; this is [\d.]+\.\n$/),
  ])
})
