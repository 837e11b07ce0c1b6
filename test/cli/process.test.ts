// The program as a process, with real files and pipes.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../../scripts/setup.mjs'
import { hasFullDevice } from '../support/programs.ts'

const program = resolve('dist/cli/blazon.js')
const built = existsSync(program)
if (!built) console.warn('NOT RUN: the program as a process: dist/cli/blazon.js is not built')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blazon-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const blazon = (argv: string[], input?: string | Buffer) => {
  const ran = spawnSync(process.execPath, [program, ...argv], { input: input ?? '', cwd: folder, maxBuffer: 1 << 28 })
  return { code: ran.status, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() }
}

/** A text of a rule: the names of its findings may be in a file that several kinds load. */
const RULE_OF_ADL = 'what the agent does, for whom, and what it does not do'

describe.runIf(built)('the program', () => {
  test('is executable, and --version loads nothing else', () => {
    const source = readFileSync(program, 'utf8')
    expect(source.startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(source).not.toMatch(/^import /m)
    const ran = spawnSync(program, ['--version'], { encoding: 'utf8' })
    expect([ran.status, ran.stdout]).toEqual([0, `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`])
  })

  test.each([
    [
      'a definition in JSON',
      'adl/invoice-processor.json',
      RULE_OF_ADL,
      // The first one is an error of the package that reads YAML.
      ['BAD_ALIAS', 'endpoint-method', 'a2a-mode'],
    ],
    ['a card in JSON', 'card/translator-zh-en.json', 'endpoint-method', [RULE_OF_ADL, 'FIN-01', 'a2a-mode']],
  ])('checking %s loads no rules of other kinds', (_, file, own, others) => {
    const told = mkdtempSync(join(folder, 'loaded-'))
    const env = { ...process.env, NODE_V8_COVERAGE: told }
    const ran = spawnSync(process.execPath, [program, 'validate', resolve('fixtures', file)], { cwd: folder, env })
    expect(ran.status).toBe(0)
    const loaded = readdirSync(told)
      .flatMap((name) => JSON.parse(readFileSync(join(told, name), 'utf8')).result)
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => readFileSync(new URL(url), 'utf8'))
    const isLoaded = (rule: string) => loaded.some((text) => text.includes(`"${rule}"`))
    expect([own, ...others].filter(isLoaded)).toEqual([own])
  })

  test('reads stdin and files, writes exactly the bytes', () => {
    expect(blazon(['canonicalize', '-'], '{"b": 1.0, "a": "€"}')).toEqual({
      code: 0,
      stdout: '{"a":"€","b":1}',
      stderr: '',
    })
    writeFileSync(join(folder, 'a.json'), '[ 1 ]')
    expect(blazon(['canonicalize', 'a.json'])).toEqual({ code: 0, stdout: '[1]', stderr: '' })
  })

  test('exit codes 1, 2 and 3; a folder without documents is not a document', () => {
    expect(blazon(['canonicalize', '-'], '[1,]').code).toBe(1)
    expect(blazon(['canonicalize', '--nope'])).toMatchObject({ code: 2, stdout: '' })
    expect(blazon(['canonicalize', 'none.json']).stderr).toContain('the file does not exist')
    expect(blazon(['canonicalize', 'docs'])).toMatchObject({ code: 3, stdout: '' })
  })

  test('checks many files without messages of the engine', () => {
    mkdirSync(join(folder, 'many'))
    // Its attestation expires; Blazon warns a month before.
    const text = readFileSync('fixtures/adl/invoice-processor.json', 'utf8').replaceAll(/"202[67]-/g, '"2099-')
    for (let i = 0; i < 100; i++) writeFileSync(join(folder, 'many', `${i}.adl.json`), text)
    const stderr = '100 of 100 documents are valid\nfound 100 agent definitions\n'
    expect(blazon(['validate', 'many'])).toEqual({ code: 0, stdout: '', stderr })
  })

  test('megabytes go through pipes whole', () => {
    const document = JSON.stringify(Array.from({ length: 300_000 }, (_, i) => `element ${i}`))
    const { code, stdout } = blazon(['canonicalize', '-'], document)
    expect(code).toBe(0)
    expect(stdout === document).toBe(true)
  })

  test.runIf(findProgram('mkfifo'))('megabytes go whole into a pipe in non-blocking mode', async () => {
    const document = JSON.stringify(Array.from({ length: 300_000 }, (_, i) => `element ${i}`))
    writeFileSync(join(folder, 'elements.json'), document)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const file = openSync(join(folder, 'pipe'), 'r+')
    const ran = spawn(process.execPath, [program, 'canonicalize', 'elements.json'], {
      cwd: folder,
      stdio: ['ignore', file, 'inherit'],
    })
    const ended = once(ran, 'exit')
    // Both processes share one open pipe, so non-blocking mode set here applies to both.
    const reader = new Socket({ fd: file })
    ran.on('exit', (code) => code === 0 || reader.destroy())
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of reader) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= document.length) break
    }
    expect(await ended).toEqual([0, null])
    expect(Buffer.concat(chunks).toString() === document).toBe(true)
  })

  test.runIf(hasFullDevice('the program on a full device'))(
    'a device without room is told in words, and of one behind stderr the exit code stays',
    () => {
      const sh = (line: string) =>
        spawnSync('sh', ['-c', `'${process.execPath}' '${program}' ${line}`], { encoding: 'utf8' })
      for (const words of ['--version', 'help', 'explain DOC-107', 'explain DOC-107 --format json'])
        expect(sh(`${words} > /dev/full`)).toMatchObject({
          status: 2,
          stderr: expect.stringMatching(/^\S.*stdout cannot be written: the disk is full.*\n(?: {2}.*\n)?$/),
        })
      expect(sh('nothing-such 2> /dev/full').status).toBe(2)
    },
  )

  test('a reader that closes the pipe is not an error', () => {
    writeFileSync(join(folder, 'large.json'), JSON.stringify(Array(400_000).fill('element')))
    const line = `'${process.execPath}' '${program}' canonicalize large.json | head -c 5`
    const ran = spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
    expect([ran.stdout, ran.stderr]).toEqual(['["ele', ''])
  })
})
