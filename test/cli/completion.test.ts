import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { COMMANDS, COMMON, SHELLS } from '../../cli/commands.ts'
import { blazon } from './terminal.ts'

const hasBash = spawnSync('bash', ['--version']).status === 0
if (!hasBash) console.warn('NOT RUN: completion in bash: there is no bash')

describe('completion', () => {
  test.each(SHELLS)('%s: names every command, option and choice', async (shell) => {
    const { code, stdout } = await blazon(['completion', shell])
    expect(code).toBe(0)
    for (const { name, options } of COMMANDS) {
      expect(stdout).toContain(name)
      for (const option of [...options, ...COMMON]) {
        expect(stdout).toContain(option.name)
        for (const choice of option.choices ?? []) expect(stdout).toContain(choice)
      }
    }
  })

  test.runIf(hasBash).each([
    ['blazon ca', 'canonicalize'],
    ['blazon diff --can', '--canonical'],
    ['blazon match --kind h', 'host'],
    ['blazon init --kind ', 'adl card'],
    ['blazon render --format ', 'pretty json sarif junit github markdown adl'],
    ['blazon completion f', 'fish'],
    ['blazon canonicalize --hash sha3', 'sha384'],
  ])('bash: %s', async (line, expected) => {
    const { stdout } = await blazon(['completion', 'bash'])
    const words = line.split(' ').map((word) => `'${word}'`)
    const script = `${stdout}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _blazon; echo "\${COMPREPLY[*]}"`
    const ran = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    expect(ran.stdout.trim()).toBe(expected)
  })
})
