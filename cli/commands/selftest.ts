import { formatSelftest, runSelftest } from '../../bindings/selftest/index.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT } from '../exit.ts'

export async function run({ options }: Context): Promise<Outcome> {
  const numbers = options.text('numbers')
  const result = await runSelftest(numbers === undefined ? {} : { numbers: Number(numbers) })
  return {
    results: [{ file: null, kind: null, valid: result.passed, diagnostics: [], selftest: result }],
    output: [`${formatSelftest(result)}\n`],
    exit: result.passed ? EXIT.clean : EXIT.findings,
  }
}
