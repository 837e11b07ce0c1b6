import { formatSelftest, runSelftest } from '../../bindings/selftest/index.ts'
import { PUBLISHED } from '../../bindings/selftest/vectors.ts'
import { defineCommand } from '../command.ts'
import { answer } from '../outcome.ts'
import { EXIT } from '../usage.ts'

export const command = defineCommand({
  usage: '[--numbers N]',
  details: [
    'Canonicalizes, rejects, formats, matches and renders vectors with published',
    'answers. The digest covers all answers: two runtimes with the same digest gave',
    'the same answers. Exits 1 if an answer is wrong.',
  ],
  options: {
    numbers: {
      value: 'N',
      choices: PUBLISHED.map(([lines]) => String(lines)),
      about: 'the count of published numbers to format (default 10000)',
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
