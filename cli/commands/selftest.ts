import { formatSelftest, runSelftest } from '../../bindings/selftest/index.ts'
import { PUBLISHED } from '../../bindings/selftest/numbers.ts'
import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { answer } from '../outcome.ts'

export const command = defineCommand({
  usage: '[--numbers N]',
  details: [
    'Canonicalizes, refuses, formats, matches and renders vectors whose answers are',
    'published. The digest is over all answers: two runtimes with the same digest',
    'gave the same. Exits 1 when an answer is wrong.',
  ],
  options: {
    numbers: {
      value: 'N',
      choices: PUBLISHED.map(([lines]) => String(lines)),
      about: 'how many published numbers to format (default 10000)',
    },
  },
  operands: [],
  examples: ['blazon selftest', 'blazon selftest --numbers 1000000 --format json'],
  async run({ options, print }) {
    const { numbers } = options
    const result = await runSelftest(numbers === undefined ? {} : { numbers: Number(numbers) })
    print(`${formatSelftest(result)}\n`)
    return {
      results: [{ ...answer({ selftest: result }), valid: result.passed }],
      ...(!result.passed && { exit: EXIT.findings, reason: 'an answer is wrong' }),
    }
  },
})
