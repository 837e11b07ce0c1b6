import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const DOCUMENTS = {
  duplicate: '{\n  "name": "Scout",\n  "tools": [\n    { "id": "a", "id": "b" }\n  ]\n}\n',
  comma: '{\n  "name": "Scout",\n}\n',
  cut: '{\n  "tools": [1, 2\n',
  warnings: '{"a": 9007199254740993, "b": 1e-400}',
}

describe('reports for people', () => {
  test.each(Object.entries(DOCUMENTS))('%s', async (name, text) => {
    const { stderr } = await blazon(['canonicalize', 'agent.json'], { files: { 'agent.json': text } })
    await expect(stderr).toMatchFileSnapshot(`../../fixtures/cli/report/${name}.txt`)
    for (const line of stderr.split('\n')) expect([...line].length).toBeLessThanOrEqual(100)
  })

  test('begin with a position that terminals make a link', async () => {
    const { stderr } = await blazon(['canonicalize', 'dir/agent.json'], { files: { 'dir/agent.json': '[1,]' } })
    expect(stderr).toMatch(/^dir\/agent\.json:1:4 error DOC-101 /)
  })

  test('are as narrow as the terminal', async () => {
    const text = `[${'"abcdefgh", '.repeat(30)}x]`
    const setting = { files: { 'a.json': text }, tty: true, columns: 40, env: { NO_COLOR: '1' } }
    const { stderr } = await blazon(['canonicalize', 'a.json'], setting)
    const frame = stderr.split('\n').filter((line) => line.includes(' | '))
    expect(frame).toHaveLength(2)
    for (const line of frame) expect([...line].length).toBeLessThanOrEqual(40)
  })

  test('file names, names and pointers of a document cannot control a terminal', async () => {
    const name = 'evil\x1b]0;owned\x07.json'
    const files = { [name]: '{"\x1b[2J\u009b1m": {"\\u001b[31m": tru}}' }
    const { stderr } = await blazon(['canonicalize', name], { files })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  })

  test('a pointer through a thousand levels is cut in the middle', async () => {
    const stdin = `${'{"member":'.repeat(1000)}tru${'}'.repeat(1000)}`
    const { stderr } = await blazon(['canonicalize', '-'], { stdin })
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(300)
    const report = JSON.parse((await blazon(['canonicalize', '-', '--format=json'], { stdin })).stdout)
    expect(report.results[0].diagnostics[0].source.pointer).toBe('/member'.repeat(1000))
  })
})
