import type { ValidateOptions } from '../../bindings/check.ts'
import type { Kind } from '../../bindings/document/report.ts'
import type { Ruleset } from '../../bindings/document/rule.ts'
import type { Severity } from '../../bindings/document/types.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import { refuseUnwritable } from '../save.ts'
import { UsageError } from '../usage.ts'
import { type Checked, Checker } from '../validate/checker.ts'
import type { Configuration } from '../validate/configuration.ts'
import { mask, maskUnreadable } from '../validate/mask.ts'
import { readConfiguration } from '../validate/read-configuration.ts'

const SEVERITIES: readonly string[] = ['error', 'warning', 'info', 'off']

/** `blazon validate`: checks documents of any kind that is known, by the rules that the configuration leaves on. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader } = context
  const configuration = await readConfiguration(context)
  const checker = new Checker(optionsOf(context, configuration), configuration)
  await refuseUnknownRules([...options.list('rule').map((text) => text.split('=')[0]!), ...configuration.ruleNames])
  const inputs = await reader.inputs(positionals, { names: options.has('as') ? 'all' : 'cards too', parts: true })
  const mends = options.has('fix') || options.has('fix-dry-run')
  if (options.has('fix')) refuseUnwritable(inputs, 'validate', 'fix')
  const results: Result[] = []
  const [notes, output]: [string[], string[]] = [[], []]
  let unwritable = false
  for await (const content of reader.contents(inputs)) {
    const { file, bytes, pointer } = content
    if (bytes === undefined) results.push({ file, kind: null, valid: false, diagnostics: [content.diagnostic] })
    else {
      const mended = mends
        ? await (await import('../validate/mend.ts')).mend(bytes, file, pointer, checker, context)
        : undefined
      const result = masked(
        mended?.bytes ?? bytes,
        mended?.checked ?? (await checker.check(bytes, file, pointer)),
        context,
      )
      results.push(pointer === undefined ? result : { ...result, part: pointer })
      // No excerpt will be shown of it: memory does not grow with the files that are in order.
      if (result.diagnostics.length === 0) reader.sources.delete(file)
      if (mended === undefined) continue
      notes.push(...mended.notes)
      output.push(mended.diff)
      unwritable ||= mended.unwritable
    }
  }
  const { failOn, maxWarnings } = configuration
  const limits = { ...(failOn !== undefined && { failOn }), ...(maxWarnings !== undefined && { maxWarnings }) }
  return {
    results,
    output,
    notes: [...notes, ...summary(results)],
    limits,
    isMasked: true,
    ...(unwritable && { exit: EXIT.unreadable }),
  }
}

/** The result as it may be shown: what is confidential is starred in excerpts and findings. */
function masked(bytes: Uint8Array, { result, document }: Checked, { reader }: Context): Result {
  const { diagnostics, kind } = result
  if (diagnostics.length === 0 || (document !== undefined && kind !== 'adl')) return result
  const shown = document === undefined ? maskUnreadable(bytes, diagnostics) : mask(bytes, document, diagnostics)
  if (shown === undefined) return result
  reader.sources.set(result.file!, shown.lines)
  return { ...result, diagnostics: shown.diagnostics }
}

function optionsOf({ options }: Context, configuration: Configuration): ValidateOptions {
  const as = options.text('as') as Kind | undefined
  const ruleset = (options.text('ruleset') as Ruleset | undefined) ?? configuration.ruleset
  return {
    ...(as !== undefined && { as }),
    ...(ruleset !== undefined && { ruleset }),
    allowSchemes: options.list('allow-scheme'),
    ...(options.has('allow-undefined') && { undefinedMembers: 'warning' }),
    rules: Object.fromEntries(options.list('rule').map(readRule)),
  }
}

function readRule(text: string): readonly [string, Severity | 'off'] {
  const [rule, severity] = text.split('=') as [string, string?]
  if (rule !== '' && severity !== undefined && SEVERITIES.includes(severity))
    return [rule, severity as Severity | 'off']
  const hint = `SEVERITY is ${SEVERITIES.join(', ')}`
  throw new UsageError('invalid-value', `--rule: expected RULE=SEVERITY, got "${text}"`, hint)
}

/** A misspelt rule would be a rule left as it is. */
async function refuseUnknownRules(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { knownRules } = await import('../../bindings/catalogue.ts')
  const { unknownRule } = await import('../../bindings/document/known-rules.ts')
  const unknown = unknownRule(names, knownRules())
  if (unknown === undefined) return
  const { name, nearest } = unknown
  const hint = nearest === undefined ? 'blazon explain lists all' : `did you mean ${nearest}?`
  throw new UsageError('unknown-code', `there is no rule or code "${name}"`, hint)
}

function summary(results: readonly Result[]): string[] {
  const valid = results.filter((result) => result.valid)
  if (results.length === 1 && valid.length === 1) {
    const { file, kind, part } = results[0]!
    return [part === undefined ? `${file} is valid (${kind})` : `no error at ${part} of ${file}`]
  }
  return results.length > 1 ? [`${valid.length} of ${results.length} documents are valid`] : []
}
