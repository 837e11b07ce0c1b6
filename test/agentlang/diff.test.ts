// What changed between two versions of an agent.
import { describe, expect, test } from 'vitest'
import { diffAgents } from '../../bindings/agentlang/diff.ts'
import { load } from '../../bindings/agentlang/verbs.ts'
import { blazon } from '../cli/terminal.ts'
import { filesIn, filesOf, RESEARCH_ASSISTANT } from './files.ts'

const sources = filesIn(RESEARCH_ASSISTANT)
const assistant = new TextDecoder().decode(sources.get('agent.yaml'))
const agentOf = (yaml: string) => load(new Map([...sources, ...filesOf({ 'agent.yaml': yaml })])).agent!

/** The changes of meaning that a replacement in agent.yaml makes, without that of the file. */
function changesOf(from: string, to: string) {
  expect(assistant).toContain(from)
  const changes = diffAgents(agentOf(assistant), agentOf(assistant.replace(from, to)))
  return changes.filter(({ area }) => area !== 'file').map(({ kind, area }) => `${kind} ${area}`)
}

describe('diffAgents', () => {
  test('an agent does not differ from itself', () => {
    expect(diffAgents(agentOf(assistant), agentOf(assistant))).toEqual([])
  })
  test.each([
    ['    - location\n', '    - location\n    - wallet\n', ['widened capability']],
    ['    - location\n', '', ['narrowed capability']],
    ['max_turns: 50', 'max_turns: 51', ['widened limit', 'widened limit', 'widened limit']],
    ['      - "./data"\n', '      - "./data"\n      - "/"\n', ['widened limit', 'widened limit', 'widened limit']],
    ['mcp@0.2.0', 'mcp@0.2.1', ['changed server']],
    ['mcp@0.2.0', 'mcp', ['widened server', 'changed server']],
    ['@stripe/mcp@0.2.0', '@evil/mcp@0.2.0', ['widened server']],
    ['command: ffmpeg', 'command: curl', ['widened bash']],
    ['^1.2.0', '^1.3.0', ['changed tool']],
    ['claude-sonnet-4:', 'other:', ['removed model', 'added model']],
    ['{{.env.STRIPE_SECRET_KEY}}', '{{.env.HOME_KEY}}', ['widened server', 'widened secret', 'narrowed secret']],
  ])('%j to %j', (from, to, expected) => {
    expect(changesOf(from, to)).toEqual(expected)
  })
  test('a changed prompt is a changed file', () => {
    const after = load(new Map([...sources, ...filesOf({ 'prompt.yaml': 'version: 2\n' })])).agent!
    expect(diffAgents(agentOf(assistant), after)).toEqual([{ kind: 'changed', area: 'file', detail: "'prompt.yaml'" }])
  })
  test('blazon diff exits 1 when something is wider', async () => {
    const of = (tools: string) => `name: a\nversion: 1.0.0\ntools: [${tools}]\n`
    const files = { 'a/agent.yaml': of('{name: x}'), 'b/agent.yaml': of('{name: x}, {name: y}') }
    expect((await blazon(['diff', 'a', 'b'], { files })).code).toBe(1)
    expect((await blazon(['diff', 'b', 'a'], { files })).code).toBe(0)
  })
})
