// A run overwrites its inputs only on request, never overwrites its own outputs, and keeps the line ends of the source.
import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'
import { AGENT, agent } from './validating.ts'

const A = agent()
const CARD = '{"id": "agent://scout", "name": "Scout", "description": "Finds papers.", "seq": 1}'
const LINES = CARD.replaceAll(', ', ',\n').replace('{', '{\n')
const YAML = Object.entries({ ...AGENT, $schema: undefined })
  .flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${JSON.stringify(value)}\n`))
  .join('')
const FILES = { 'a.adl.json': A, 'b.adl.json': `${A}\n`, 'c.card.json': CARD, 'blazon.config.json': '{}', d: '{"a":1}' }

const READ = 'this run also reads it\n  name another file\n'

describe('is refused without losing a file', () => {
  test.each([
    ['validate a.adl.json --format json:./a.adl.json', [], READ],
    ['validate . --format sarif:b.adl.json', [], READ],
    ['validate a.adl.json --format json:blazon.config.json', [], READ],
    ['validate a.adl.json --write-baseline a.adl.json', [], 'name another file'],
    ['review a.adl.json --public a.adl.json', [], READ],
    ['fmt d --write --format json:d', ['d'], 'this run'],
    ['convert a.adl.json --to a2a-1.0 --url https://a.example/ --out o --format json:o', ['o'], 'this run'],
    [
      'validate a.adl.json --format json:o --format sarif:./o',
      ['o'],
      'o cannot be written: this run already wrote another file there',
    ],
  ])('%s', async (line, kept, message) => {
    const { code, stderr, saved } = await blazon(line.split(' '), { files: FILES })
    expect({ code, saved: [...saved.keys()] }).toEqual({ code: 2, saved: kept })
    expect(stderr).toContain(message)
  })
})

test.each([
  ['sign a.adl.json --key k --embed-key --out o', 'a.adl.json', A],
  ['sign c.card.json --key k --out o', 'c.card.json', LINES],
  ['bump c.card.json --out o', 'c.card.json', LINES],
  ['validate o --fix', 'o', YAML],
])('%s: keeps the line ends of another system', async (line, name, text) => {
  const { stdout: k } = await blazon(['keygen'])
  const { saved, stderr } = await blazon(line.split(' '), { files: { k, [name]: text.replaceAll('\n', '\r\n') } })
  expect(Buffer.from(saved.get('o') ?? []).toString(), stderr).toMatch(/^(?:[^\n]*\r\n){3,}$/)
})

test.each([
  ['convert a.adl.json --to card --id agent://scout --out a.adl.json', 'a.adl.json'],
  ['bump c.card.json --out ./c.card.json', 'c.card.json'],
  ['bump folder --out folder/e.card.json', 'folder/e.card.json'],
  ['fmt d ./d --write', 'd'],
  ['validate a.adl.json --write-baseline known.json', 'known.json'],
  ['approve a.adl.json --inventory list.json', 'list.json'],
])('%s: overwrites on request', async (line, name) => {
  const known = { 'known.json': '{"version": 1, "findings": []}', 'list.json': '{"version": 1, "agents": []}' }
  const { code, stderr, saved } = await blazon(line.split(' '), {
    files: { ...FILES, ...known, 'folder/e.card.json': CARD },
  })
  expect({ code, saved: [...saved.keys()] }, stderr).toEqual({ code: 0, saved: [name] })
})
