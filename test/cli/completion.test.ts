import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { COMMON, type Options } from '../../cli/command.ts'
import { SHELLS } from '../../cli/commands/completion.ts'
import { EVERY_COMMAND } from './every-command.ts'
import { blazon } from './terminal.ts'

const hasBash = spawnSync('bash', ['--version']).status === 0
if (!hasBash) console.warn('NOT RUN: completion in bash: there is no bash')

describe('completion', () => {
  test.each(SHELLS)('%s: names every command, option and choice', async (shell) => {
    const { code, stdout } = await blazon(['completion', shell])
    expect(code).toBe(0)
    for (const { name, command } of EVERY_COMMAND) {
      for (const word of name.split(' ')) expect(stdout).toContain(word)
      const options: Options = { ...command.options, ...COMMON }
      for (const [option, { choices = [] }] of Object.entries(options)) {
        expect(stdout).toContain(option)
        for (const choice of choices) expect(stdout).toContain(choice)
      }
    }
  })

  test.runIf(hasBash).each([
    ['blazon ca', 'canonicalize'],
    ['blazon diff --can', '--canonical'],
    ['blazon match --kind h', 'host'],
    ['blazon init --kind ', 'adl wellknown mcp-server ai-catalog card agentlang'],
    ['blazon render --format ', COMMON.format.choices.join(' ')],
    ['blazon completion f', 'fish'],
    ['blazon tags ', 'list match normalize suggest'],
    ['blazon directory import --se', '--server'],
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
