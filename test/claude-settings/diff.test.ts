import { expect, test } from 'vitest'
import { diffSettings } from '../../bindings/claude-settings/diff.ts'
import { parse } from '../../bindings/document/parse.ts'
import { processorTime } from '../support/effort.ts'

function changesOf(before: object, after: object): string[] {
  const [old, now] = [before, after].map((settings) => parse(JSON.stringify(settings)).document!)
  return diffSettings(old!, now!).map(({ kind, area, pointer, document }) => `${kind} ${area} ${document}${pointer}`)
}

test.each([
  [{ allow: ['Bash(a)'] }, { allow: ['Bash(a)', 'Bash(b)'] }, ['widened allow new/permissions/allow/1']],
  [{ allow: ['Bash(a *)'] }, { allow: ['Bash(a *)', 'Bash(a b)'] }, ['added allow new/permissions/allow/1']],
  [
    { allow: ['Bash(a b)'] },
    { allow: ['Bash(a *)'] },
    ['widened allow new/permissions/allow/0', 'removed allow old/permissions/allow/0'],
  ],
  [{}, { allow: ['Write(a)'] }, ['added allow new/permissions/allow/0']],
  [{ allow: ['Bash(a)'] }, {}, ['narrowed allow old/permissions/allow/0']],
  [{ deny: ['Bash(a)'] }, {}, ['widened deny old/permissions/deny/0']],
  [
    { deny: ['Bash(a)'] },
    { ask: ['Bash(a)'] },
    ['widened deny old/permissions/deny/0', 'narrowed ask new/permissions/ask/0'],
  ],
  [
    { deny: ['Bash(a)'] },
    { deny: ['Bash(a*)'] },
    ['removed deny old/permissions/deny/0', 'narrowed deny new/permissions/deny/0'],
  ],
  [
    { ask: ['Bash(a)'] },
    { deny: ['Bash'] },
    ['removed ask old/permissions/ask/0', 'narrowed deny new/permissions/deny/0'],
  ],
  [{ defaultMode: 'plan' }, { defaultMode: 'acceptEdits' }, ['widened mode new/permissions/defaultMode']],
  [{ defaultMode: 'manual' }, {}, []],
  [{}, { defaultMode: 'dontAsk' }, ['narrowed mode new/permissions/defaultMode']],
  [{}, { defaultMode: 'yolo' }, ['widened mode new/permissions/defaultMode']],
  [{}, { additionalDirectories: ['/'] }, ['widened folder new/permissions/additionalDirectories/0']],
])('%j to %j', (old, now, changes) => {
  expect(changesOf({ permissions: old }, { permissions: now })).toEqual(changes)
})

test('hooks, the sandbox and other members', () => {
  const hook = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }
  expect(changesOf({ hooks: hook, model: 'a' }, { hooks: hook, model: 'b' })).toEqual(['changed member new/model'])
  expect(changesOf({ hooks: hook }, {})).toEqual(['widened hook old/hooks/PreToolUse'])
  expect(changesOf({}, { hooks: hook })).toEqual(['widened hook new/hooks/PreToolUse'])
  expect(changesOf({ sandbox: { enabled: true } }, {})).toEqual(['widened member old/sandbox'])
})

test('many rules on each side', () => {
  const rules = (name: string) => Array.from({ length: 10_000 }, (_, i) => `Bash(${name}${i} *)`)
  const began = processorTime()
  expect(changesOf({ permissions: { allow: rules('a') } }, { permissions: { allow: rules('b') } })).toHaveLength(20_000)
  expect(processorTime() - began).toBeLessThan(4_000)
})
