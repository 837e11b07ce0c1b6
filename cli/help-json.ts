import { EXIT_WORDS } from './exit.ts'
import type { Found, Load, Table } from './find.ts'
import { judge } from './judge.ts'
import { COMMON, type Options } from './options.ts'
import { answer, type Outcome } from './outcome.ts'
import { jsonReport } from './report/json.ts'

/** Help for programs, as a report like any other: the declarations of each command, and those that all have in common. */
export async function jsonHelp({ name, about, what }: Found, version: string): Promise<string> {
  const help = { commands: await describe(name, about, what), options: optionsOf(COMMON), exitCodes: EXIT_WORDS }
  const outcome: Outcome = { results: [answer({ help })] }
  return jsonReport('help', outcome, judge(outcome, { failOn: 'error', maxWarnings: undefined }), version)
}

async function describe(name: string, about: string, what: Load | Table): Promise<readonly object[]> {
  if (typeof what !== 'function') {
    const inner = Object.entries(what).map(([word, [aim, next]]) => describe(`${name} ${word}`.trim(), aim, next))
    return (await Promise.all(inner)).flat()
  }
  const { usage, details, options, operands, examples } = (await what()).command
  return [{ name, about, usage, details, options: optionsOf(options), ...(operands && { operands }), examples }]
}

/** Nothing but the declarations; `needed` is an example for people. */
function optionsOf(options: Options): readonly object[] {
  return Object.entries(options).map(([name, { needed, ...declared }]) => {
    return { name, ...declared, ...(needed !== undefined && { required: true }) }
  })
}
