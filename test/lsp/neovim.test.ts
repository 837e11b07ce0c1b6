import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../../scripts/setup.mjs'
import { folderWith } from './client.ts'

const [program, neovim] = [resolve('dist/cli/blazon.js'), findProgram('nvim')]
const canRun = existsSync(program) && neovim !== undefined
if (!canRun) console.warn('NOT RUN: Neovim with the language server: nvim or dist/cli/blazon.js is missing')

const DEFINITION = `adl_spec: 0.1.0
$schema: https://adl-spec.org/0.1/schema.json
name: Éclair 😀
description: Finds the cheapest train between two towns
version: 1.0.0
data_classification:
  sensitivity: intern
`

test.runIf(canRun)('Neovim shows a finding, a hover and completion, and applies a fix', () => {
  const folder = folderWith({ 'a.adl.yaml': DEFINITION })
  const env = {
    ...process.env,
    BLAZON: program,
    NODE: process.execPath,
    FILE: join(folder, 'a.adl.yaml'),
    HOME: folder,
  }
  const argv = ['--headless', '--clean', '-c', `luafile ${resolve('test/support/neovim.lua')}`]
  const shown = execFileSync(neovim!, argv, { env: { ...env, LINE: '7', COLUMN: '18' }, cwd: folder, timeout: 60_000 })
  const said = shown
    .toString()
    .trim()
    .split('\n')
    .map((line) => /^(\w+): (.*)$/.exec(line)!.slice(1))
  const of = (label: string) => said.filter(([name]) => name === label).map(([, value]) => JSON.parse(value!))
  expect(of('finding').map(([line, column]) => [line, column])).toEqual([[6, 15]])
  expect(of('hover')[0]).toContain('sensitivity')
  expect(of('completion')[0]).toEqual(['public', 'internal', 'confidential', 'restricted'])
  expect(of('text')[0]).toEqual(DEFINITION.replace('intern\n', '"internal"\n').trimEnd().split('\n'))
  rmSync(folder, { recursive: true })
})
