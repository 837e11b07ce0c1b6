import type { ValidateOptions } from '../../bindings/check.ts'
import type { Severity } from '../../bindings/document/types.ts'
import { RULESETS } from '../../bindings/frame/rule.ts'
import { CHECKED_KINDS } from '../../bindings/kinds.ts'
import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { given } from '../given.ts'
import { type Result, unreadable } from '../outcome.ts'
import type { Reader } from '../reader.ts'
import { refuseUnwritable } from '../save.ts'
import { UsageError } from '../usage.ts'
import { type Checked, Checker } from '../validate/checker.ts'
import { mask, maskUnreadable } from '../validate/mask.ts'
import { readConfiguration } from '../validate/read-configuration.ts'

const SEVERITIES = ['error', 'warning', 'info', 'off'] as const satisfies readonly (Severity | 'off')[]

/** `blazon validate`: checks documents of every known kind, by the rules that the configuration leaves on. */
export const command = defineCommand({
  usage: '[FILE|FOLDER|GLOB|URL...|-] [--ruleset NAME] [--fix]',
  details: [
    'Finds out what each document is, and checks it by every rule of that kind. What',
    'is wrong is shown where it stands; blazon explain CODE says why it matters.',
    'blazon.config.json or .yaml, here or above, sets rulesets and severities.',
  ],
  options: {
    as: { value: 'KIND', choices: CHECKED_KINDS, about: 'what the documents are' },
    ruleset: { value: 'NAME', choices: RULESETS, about: 'which findings matter (default recommended)' },
    rule: { value: 'RULE=SEVERITY', many: true, about: 'error, warning, info or off' },
    'allow-undefined': { about: 'undefined members are warnings' },
    'allow-scheme': { value: 'SCHEME', many: true, about: 'a scheme that URIs may have, such as s3' },
    watch: { short: 'w', about: 'do it again whenever a file changes' },
    fix: { about: 'mend what can be mended' },
    'fix-dry-run': { about: 'show what that would change, and write nothing' },
    config: { value: 'FILE', about: 'the configuration' },
  },
  examples: ['blazon validate agents/', 'blazon validate agent.adl.yaml --format sarif:findings.sarif'],
  async run(context) {
    const { options, positionals, reader, host, print } = context
    const rules = options.rule.map(readRule)
    const configuration = await readConfiguration(options.config, host)
    const { failOn, maxWarnings } = configuration
    const wanted: ValidateOptions = {
      ...given({ as: options.as, ruleset: options.ruleset ?? configuration.ruleset }),
      allowSchemes: options['allow-scheme'],
      ...(options['allow-undefined'] && { undefinedMembers: 'warning' }),
      rules: Object.fromEntries(rules),
    }
    const checker = new Checker(wanted, configuration)
    await refuseUnknownRules([...rules.map(([name]) => name), ...configuration.ruleNames])
    const names = options.as === undefined ? 'cards too' : 'all'
    const inputs = await reader.inputs(positionals, { names, parts: true })
    const mends = options.fix || options['fix-dry-run']
    if (options.fix) refuseUnwritable(inputs, 'validate', 'fix')
    const results: Result[] = []
    const notes: string[] = []
    let unwritable = false
    for await (const content of reader.contents(inputs)) {
      const { file, bytes, pointer } = content
      if (bytes === undefined) {
        results.push(unreadable(content))
        continue
      }
      const mended = mends
        ? await (await import('../validate/mend.ts')).mend(bytes, file, pointer, checker, options.fix, context)
        : undefined
      const checked = mended?.checked ?? (await checker.check(bytes, file, pointer))
      const result = masked(mended?.bytes ?? bytes, checked, reader)
      results.push(pointer === undefined ? result : { ...result, part: pointer })
      // A valid file needs no excerpt: dropping its source keeps memory from growing with such files.
      if (result.diagnostics.length === 0) reader.sources.delete(file)
      if (mended === undefined) continue
      notes.push(...mended.notes)
      print(mended.diff)
      unwritable ||= mended.unwritable
    }
    return {
      results,
      notes: [...notes, ...summary(results)],
      limits: given({ failOn, maxWarnings }),
      isMasked: true,
      ...(unwritable && { exit: EXIT.unreadable }),
    }
  },
})

/** The result as it may be shown: confidential parts are starred in excerpts and findings. */
function masked(bytes: Uint8Array, { result, document }: Checked, reader: Reader): Result {
  const { diagnostics, kind } = result
  if (diagnostics.length === 0 || (document !== undefined && kind !== 'adl')) return result
  const shown = document === undefined ? maskUnreadable(bytes, diagnostics) : mask(bytes, document, diagnostics)
  if (shown === undefined) return result
  reader.sources.set(result.file!, shown.lines)
  return { ...result, diagnostics: shown.diagnostics }
}

function readRule(text: string): readonly [string, Severity | 'off'] {
  const [rule = '', word] = text.split('=')
  const severity = SEVERITIES.find((name) => name === word)
  if (rule !== '' && severity !== undefined) return [rule, severity]
  const hint = `SEVERITY is ${SEVERITIES.join(', ')}`
  throw new UsageError('invalid-value', `--rule: expected RULE=SEVERITY, got "${text}"`, hint)
}

/** A misspelt name would leave its rule unchanged without notice. */
async function refuseUnknownRules(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { knownRules } = await import('../../bindings/check.ts')
  const { unknownRule } = await import('../../bindings/frame/known-rules.ts')
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
