// Folders that others filled: links to the outside, pipes, devices, keys. Runs the tool as a process on the real file
// system.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { filesOfGlob } from '../../cli/inputs.ts'
import { FORMATS } from '../../cli/report/report.ts'
import { blazon as inMemory } from '../cli/terminal.ts'
import { sampleOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

const program = resolve('dist/cli/blazon.js')
const TOKEN = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'blazon-attack-'))
  mkdirSync(join(root, 'pr', 'inner'), { recursive: true })
  writeFileSync(join(root, 'secret.json'), `{"token": "${TOKEN}", }`)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function blazon(...argv: string[]) {
  const ran = spawnSync(process.execPath, [program, ...argv], {
    cwd: root,
    input: '',
    timeout: 240_000,
    encoding: 'utf8',
    env: { ...process.env, SECRET_OF_THE_ENVIRONMENT: 'hunter2hunter2' },
  })
  return { code: ran.status, said: ran.stdout + ran.stderr, stderr: ran.stderr }
}

const pr = (name: string) => join(root, 'pr', name)

describe.runIf(existsSync(program))('a folder with links', () => {
  test('to files outside reveals nothing about them, and reports that they were not read', () => {
    symlinkSync('../secret.json', pr('a.adl.json'))
    symlinkSync('/proc/self/environ', pr('b.adl.json'))
    symlinkSync(join(root, 'secret.json'), pr('inner/c.adl.json'))
    symlinkSync('nowhere', pr('d.adl.json'))
    for (const argument of ['pr', 'pr/*.json', 'pr/**/*.json', '{pr,pr/inner}/*.adl.json']) {
      const { code, said } = blazon('validate', argument)
      expect(code, argument).toBe(3)
      expect(said).toContain('it is a link to nothing or to a place outside pr')
      expect(said).not.toMatch(/ghp_|hunter2|token/)
    }
  })

  test('to files inside reads them', () => {
    writeFileSync(pr('inner/a.json'), '{"adl_spec": "0.1.0"}')
    symlinkSync('inner/a.json', pr('b.adl.json'))
    expect(blazon('validate', 'pr').said).toContain('pr/b.adl.json:1:1')
  })

  test('to folders does not follow them', () => {
    symlinkSync('..', pr('loop'))
    writeFileSync(pr('a.adl.json'), '{}')
    const { said } = blazon('validate', 'pr')
    expect(said.match(/a\.adl\.json:1:1/g)).not.toBeNull()
    expect(said).not.toContain('loop')
  })

  test.each([
    ['fmt', '--write'],
    ['validate', '--fix'],
  ])('%s %s writes through no link, wherever it leads', (command, option) => {
    const outside = '{"adl_spec":"0.1.0","name":"outside"}'
    writeFileSync(join(root, 'outside.adl.json'), outside)
    writeFileSync(pr('inner/own.adl.json'), outside)
    symlinkSync('../outside.adl.json', pr('a.adl.json'))
    symlinkSync('inner/own.adl.json', pr('b.adl.json'))
    symlinkSync('outside.adl.json', join(root, 'named.adl.json'))
    blazon(command, 'pr', option)
    const named = blazon(command, 'named.adl.json', option)
    expect(readFileSync(join(root, 'outside.adl.json'), 'utf8')).toBe(outside)
    for (const link of [pr('a.adl.json'), pr('b.adl.json'), join(root, 'named.adl.json')]) {
      expect(lstatSync(link).isSymbolicLink()).toBe(true)
    }
    if (command === 'fmt') expect(named).toMatchObject({ code: 3, stderr: expect.stringContaining('it is a link') })
  })

  test('as a configuration that the user did not name: refused without revealing its content', () => {
    symlinkSync('../secret.json', pr('blazon.config.json'))
    writeFileSync(pr('a.adl.json'), '{}')
    const ran = spawnSync(process.execPath, [program, 'validate', 'a.adl.json'], {
      cwd: join(root, 'pr'),
      encoding: 'utf8',
    })
    expect(ran.status).toBe(2)
    expect(ran.stderr).toContain('it is a link to a place outside its folder')
    expect(ran.stderr).not.toMatch(/ghp_|token/)
  })
})

describe.runIf(existsSync(program) && process.platform !== 'win32')('a file that is not a regular file', () => {
  test('does not block the tool, in a folder or by name', () => {
    expect(spawnSync('mkfifo', [pr('a.adl.json'), join(root, 'pipe.json')]).status).toBe(0)
    expect(blazon('validate', 'pr')).toMatchObject({
      code: 3,
      said: expect.stringContaining('it is not a regular file'),
    })
    expect(blazon('validate', 'pipe.json')).toMatchObject({
      code: 3,
      said: expect.stringContaining('it is not a regular file'),
    })
    expect(blazon('validate', 'pr/*')).toMatchObject({ code: 3 })
    expect(blazon('sign', 'secret.json', '--key', 'pipe.json').code).not.toBe(null)
    for (const device of ['/dev/zero', '/dev/null', '/dev/tty']) {
      expect(blazon('validate', device), device).toMatchObject({ code: 3 })
    }
    expect(blazon('validate', 'secret.json', '--config', 'pipe.json')).toMatchObject({ code: 2 })
  })

  test('is read if a shell passes it', () => {
    writeFileSync(pr('a.json'), '{"b": 1.0}')
    const ran = spawnSync('bash', ['-c', `"${process.execPath}" "${program}" canonicalize <(cat pr/a.json)`], {
      cwd: root,
      encoding: 'utf8',
    })
    if (ran.error === undefined) expect(ran.stdout).toBe('{"b":1}')
  })
})

describe('credentials in reports', () => {
  /** Files that someone names by mistake, or plants, and the parts of them that must not be shown. */
  async function files(): Promise<[name: string, text: string, secrets: readonly string[]][]> {
    const key = await generateKey('Ed25519')
    const rsa = await generateKey('RS256')
    const pem = await exportKey(key, 'pem')
    const jwk = await exportKey(key, 'jwk')
    const rsaJwk = await exportKey(rsa, 'jwk')
    const rsaPem = await exportKey(rsa, 'pem')
    const bodyOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
    const escaped = JSON.stringify(pem)
    return [
      ['k.pem', pem, bodyOf(pem)],
      ['rsa.pem', rsaPem, bodyOf(rsaPem)],
      ['cut.pem', rsaPem.slice(0, 300), bodyOf(rsaPem.slice(0, 300))],
      ['utf16.pem', `\ufeff${pem}`, bodyOf(pem)],
      ['k.jwk', JSON.stringify(jwk), [jwk.d!]],
      ['pretty.jwk', JSON.stringify(jwk, null, 2).replace('"d"', '"d",'), [jwk.d!]],
      [
        'rsa.jwk',
        JSON.stringify(rsaJwk, null, 2),
        [rsaJwk.d!, rsaJwk.p!, rsaJwk.q!, rsaJwk.dp!, rsaJwk.dq!, rsaJwk.qi!],
      ],
      ['k.yaml', `kty: OKP\nd: ${jwk.d}\nx: [`, [jwk.d!]],
      ['in.json', `{"adl_spec": "0.1.0", "name": ${escaped}, "key": ${escaped}}`, bodyOf(pem)],
      ['type.adl.json', `{"adl_spec": ${escaped}, "name": "${TOKEN}", "version": "${TOKEN}"}`, [...bodyOf(pem), TOKEN]],
      ['broken.json', `{"token": "${TOKEN}", }`, [TOKEN]],
      ['uri.json', '{"name": "https://ada:correct-horse@example.com/", }', ['correct-horse']],
      ['env.yaml', `A: ${TOKEN}\nB: [\n`, [TOKEN]],
      ['bare', TOKEN, [TOKEN]],
    ]
  }

  test('are replaced by stars in every report: keys in PEM and JWK, tokens, passwords', async () => {
    for (const [i, [name, text, secrets]] of (await files()).entries()) {
      const content = name.startsWith('utf16') ? Buffer.from(text, 'utf16le') : text
      for (const [k, format] of ['pretty', ...Object.keys(FORMATS)].entries()) {
        const lines = [
          ['validate', name, '--as', 'adl'],
          ['validate', name],
          ['verify', name],
          ['fmt', name, '--check'],
          ['diff', '--canonical', name, 'other.json'],
        ]
        // Each file meets other pairs of command and format.
        for (const argv of sampleOf(lines, i + k)) {
          const { stdout, stderr } = await inMemory([...argv, '--format', format], {
            files: { [name]: content, 'other.json': '{"name": 1}' },
            columns: 400,
          })
          // `fmt` writes the document itself; here it only reports whether it would.
          const said = (stdout + stderr).replaceAll('␀', '')
          for (const secret of secrets) {
            // A finding may quote the beginning of a text, but not the beginning of a secret.
            for (let at = 0; at + 10 <= secret.length; at += 10) {
              expect(said, `${argv.join(' ')} --format ${format}`).not.toContain(secret.slice(at, at + 10))
            }
          }
        }
      }
    }
  })

  test('leave all other text readable, at its place', async () => {
    const { stderr } = await inMemory(['validate', 'a.adl.json'], {
      files: { 'a.adl.json': `{"adl_spec": "0.1.0",\n "api": "${TOKEN}", "verison": "1.0.0"}` },
    })
    expect(stderr).toContain(`"api": "${'*'.repeat(TOKEN.length)}", "verison"`)
  })

  test('are found in linear time', () => {
    for (const unit of [
      '-----BEGIN A-----',
      '"d":"',
      '://a:',
      'aB3'.repeat(100),
      'd : ',
      '{',
      'A1b2C3d4E5f6G7h8I9j0K1l2M3',
    ]) {
      const text = unit.repeat(Math.ceil(2_000_000 / unit.length))
      const begin = processorTime()
      withoutSecrets(text)
      expect(processorTime() - begin, unit).toBeLessThan(4_000)
    }
  })
})

test('many stars over many folders take linear time: each star reads each folder once', async () => {
  let read = 0
  const depth = 24
  const files = {
    list: async (path: string) => {
      read++
      const at = path.split('/').length
      return at < depth
        ? [
            { name: 'd', kind: 'folder' as const },
            { name: 'a.json', kind: 'file' as const },
          ]
        : []
    },
    isWithin: async () => true,
  }
  const names = new Set<string>()
  for await (const { name } of filesOfGlob(`r/${'**/*/'.repeat(7)}**/a.json`, files)) names.add(name)
  expect(read).toBeLessThan(depth * 16)
  for await (const { name } of filesOfGlob(`r/${'**/'.repeat(7)}a.json`, files)) names.add(name)
  expect(names.size).toBe(depth - 1)
})
