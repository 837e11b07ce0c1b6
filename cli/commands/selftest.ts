import { formatSelftest, runSelftest } from '../../bindings/selftest/index.ts'
import { PUBLISHED } from '../../bindings/selftest/vectors.ts'
import { answer, defineCommand, EXIT } from '../command.ts'

export const command = defineCommand({
  options: {
    numbers: {
      value: 'N',
      choices: PUBLISHED.map(([lines]) => String(lines)),
      about: 'the count of published numbers to format (default 10000)',
    },
  },
  operands: [],
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
