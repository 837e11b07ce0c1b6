// Programs that start without a shell, with their arguments (ADL 9.4).
import { describe, expect, test } from 'vitest'
import { compile } from '../../../bindings/adl/policy.ts'

const policyOf = (execution: object) =>
  compile(
    JSON.stringify({
      ...{ adl_spec: '0.1.0', name: 'x', description: 'x', version: '1.0.0' },
      data_classification: { sensitivity: 'public' },
      permissions: { execution },
    }),
    {},
  )
const allowed = ['env', 'nice', 'xargs', 'timeout', 'find', 'printf', 'git', '/usr/bin/nohup', 'busybox']
const plain = policyOf({ allowed_commands: allowed, denied_commands: ['rm', '/opt/bad'] })
const shells = policyOf({ allowed_commands: allowed, denied_commands: ['rm'], allow_shell: true })
const all = policyOf({ allowed_commands: ['*'], denied_commands: ['rm'], allow_shell: true })

const judged = (policy: typeof plain, command: string, args: string) =>
  policy.decide({ domain: 'execution', command, args }).allowed

describe('the arguments of a program', () => {
  test.each([
    ['printf', 'hello %s world'],
    ['printf', 'a;b|c $HOME `x` > y'],
    ['git', 'log --format=%H -- src'],
    ['find', '. -name *.ts -newer x'],
    ['nice', ''],
    ['/usr/bin/printf', 'x'],
  ])('%s %s is granted by its program', (command, args) => {
    expect(judged(plain, command, args)).toBe(true)
  })

  test.each([
    ['env', 'sh -c id'],
    ['env', '-S sh -c id'],
    ['env', 'A=b /bin/bash -c id'],
    ['env', 'python3 -c 1'],
    ['nice', 'rm -rf x'],
    ['nice', '-n 5 rm -rf x'],
    ['nice', 'python3'],
    ['nice', 'printf x'],
    ['xargs', 'rm'],
    ['xargs', '-n1 curl'],
    ['timeout', '5 dash'],
    ['timeout', '5 curl x'],
    ['/usr/bin/nice', 'curl x'],
    ['/usr/bin/nohup', 'curl x'],
    ['busybox', 'wget x'],
    ['find', '. -exec curl {} +'],
    ['find', '. -execdir rm {} ;'],
    ['find', '. -ok curl'],
    ['git', '-c core.pager=/bin/sh log'],
    ['git', 'difftool -x rm'],
    ['printf', 'x /usr/bin/rm'],
    ['printf', 'x --with=rm'],
    ['curl', 'x'],
    ['/opt//bad', 'x'],
  ])('%s %s is denied', (command, args) => {
    expect(judged(plain, command, args)).toBe(false)
  })

  test('of a launcher are granted by a lone * only, also with allow_shell, and nothing denied may be in it', () => {
    expect(judged(shells, 'env', 'sh -c id')).toBe(false)
    expect(judged(shells, 'nice', 'rm')).toBe(false)
    expect(judged(all, 'env', 'sh -c id')).toBe(true)
    expect(judged(all, 'nice', 'wc -l')).toBe(true)
    expect(judged(all, 'env', 'sh -c rm')).toBe(false)
  })

  test('of another type are refused', () => {
    expect(() => plain.decide({ domain: 'execution', command: 'a', args: 7 as never })).toThrow(TypeError)
  })

  test('a misspelled member of a request is named with what was meant, another one without', () => {
    expect(() => plain.decide({ domain: 'execution', comand: 'a' } as never)).toThrow('did you mean command?')
    expect(() => plain.decide({ domain: 'execution', xyzzy: 'a' } as never)).toThrow(/got 'xyzzy'$/)
  })
})
