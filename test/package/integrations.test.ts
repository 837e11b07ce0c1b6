// What other tools run of Blazon: the step of GitHub Actions and the hooks of pre-commit, with this checkout in place of the package.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../package.json'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[]
  }
}

interface Hook {
  readonly id: string
  readonly entry: string
  readonly files: string
}

const { inputs, runs }: Action = parse(readFileSync('action.yml', 'utf8'))
const hooks: readonly Hook[] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8'))
const PACKAGE = `blazon@${version}`

const GOOD = readFileSync('fixtures/adl/invoice-processor.json', 'utf8')
const BAD = '{"adl_spec": "0.1.0", "name": "A"}\n'

let folder: string
let path: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  // As npx does with the package: what stands behind its name goes to the terminal tool.
  const tool = resolve('dist/cli/blazon.js')
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes ${PACKAGE}" ] || exit 99\nshift 2\nexec "${process.execPath}" "${tool}" "$@"\n`
  writeFileSync(join(programs, 'npx'), npx)
  chmodSync(join(programs, 'npx'), 0o755)
  path = `${programs}:${process.env['PATH']}`
  mkdirSync(join(folder, 'agents'))
  writeFileSync(join(folder, 'good.adl.json'), GOOD)
  writeFileSync(join(folder, 'agents', 'bad.adl.json'), BAD)
})
afterAll(() => rmSync(folder, { recursive: true }))

function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  // GitHub's own way to run a step of bash.
  const argv = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
  return spawnSync('bash', argv, { cwd: folder, env: { PATH: path, ...env }, encoding: 'utf8' })
}

/** Runs the step with these inputs, and those that are absent as action.yml has them. */
function act(given: Readonly<Record<string, string>>) {
  const { run, env } = runs.steps[0]!
  const value = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, name: string) => given[name] ?? inputs[name]!.default)
  return shell(run!, Object.fromEntries(Object.entries(env!).map(([name, text]) => [name, value(text)])))
}

describe.runIf(existsSync('dist/cli/blazon.js'))('the step of GitHub Actions', () => {
  test('fails at a faulty definition, at its line, and writes a report for code scanning', () => {
    const { status, stdout } = act({})
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^::error file=agents\/bad\.adl\.json,line=1,/m)])
    const { version: sarif, runs: reported } = JSON.parse(readFileSync(join(folder, 'blazon.sarif'), 'utf8'))
    expect([sarif, reported[0].results.length > 0]).toEqual(['2.1.0', true])
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
    (_, { entry, files }) => {
      const isFor = new RegExp(files)
      expect(['a/b.adl.json', 'a.adl.yaml', 's.card.json', 'package.json'].map((name) => isFor.test(name))).toEqual([
        true,
        true,
        true,
        false,
      ])
      writeFileSync(join(folder, 'untidy.adl.json'), '{"a":\n1,   "a": 2}')
      expect(shell(`${entry} untidy.adl.json`).status).toBe(1)
      const styled = shell(`npx --yes ${PACKAGE} fmt good.adl.json`).stdout
      writeFileSync(join(folder, 'tidy.adl.json'), styled)
      expect(shell(`${entry} tidy.adl.json`).status).toBe(0)
    },
  )
})

test('all that names the package names this version of it', () => {
  for (const file of ['action.yml', '.pre-commit-hooks.yaml', 'docs/start/ci.md']) {
    const named = readFileSync(file, 'utf8').match(/blazon@[\d.]+\d/g) ?? []
    expect([file, named.length > 0, new Set(named)]).toEqual([file, true, new Set([PACKAGE])])
  }
})
