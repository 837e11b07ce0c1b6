import { resolve } from 'node:path'
import type { Document } from '../../bindings/document/parse.ts'
import type { Severity } from '../../bindings/document/types.ts'
import type { Conformance } from '../../bindings/frame/source.ts'
import { RULESETS } from '../../bindings/frame/subject.ts'
import { CHECKED_KINDS } from '../../bindings/kinds.ts'
import type { validate } from '../../bindings/verbs.ts'
import { compact, defineCommand, EXIT, type Result, UsageError, unreadable } from '../command.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Host } from '../host.ts'
import { isUrl } from '../inputs.ts'
import { isConfidential, mask, maskUnreadable } from '../mask.ts'
import type { Reader } from '../reader.ts'
import { refuseUnwritable } from '../save.ts'
import type { Baseline } from '../validate/baseline.ts'
import { Checker, type CheckResult } from '../validate/checker.ts'
import { type Configuration, readConfiguration } from '../validate/configuration.ts'
import { beginWatch } from '../validate/watching.ts'

const SEVERITIES = ['error', 'warning', 'info', 'off'] as const satisfies readonly (Severity | 'off')[]

export const command = defineCommand({
  options: {
    as: { value: 'KIND', choices: CHECKED_KINDS, about: 'the kind of the documents (default: detected)' },
    ruleset: { value: 'NAME', choices: RULESETS, about: 'the rules to check (default recommended)' },
    rule: { value: 'RULE=SEVERITY', many: true, about: 'set a severity: error, warning, info or off' },
    'allow-undefined': { about: 'report undefined members as warnings' },
    'allow-scheme': { value: 'SCHEME', many: true, about: 'allow this scheme in URIs, such as s3' },
    watch: { short: 'w', about: 'check again whenever a file is changed or added' },
    fix: { about: 'fix what can be fixed' },
    'fix-dry-run': { about: 'show the fixes without writing them' },
    config: { value: 'FILE', about: 'the configuration file' },
    baseline: { value: 'FILE', about: 'hide the findings in this baseline' },
    'write-baseline': { value: 'FILE', about: 'write the current findings to this baseline' },
  },
  async run(context) {
    const { options, positionals, reader, host, print, note } = context
    const rules = options.rule.map(readRule)
    const configuration = await readConfiguration(options.config, host)
    note(`configuration: ${configuration.path ?? 'none'}`)
    const { failOn, maxWarnings } = configuration
    const wanted: validate.Options = {
      ...compact({ as: options.as, ruleset: options.ruleset ?? configuration.ruleset }),
      allowSchemes: options['allow-scheme'],
      ...(options['allow-undefined'] && { undefinedMembers: 'warning' }),
      rules: Object.fromEntries(rules),
    }
    const checker = new Checker(wanted, configuration, reader.bounds)
    await refuseUnknownRules(rules.map(([name]) => name))
    const names = options.as === undefined ? 'every kind' : 'all'
    const change = options.watch ? await beginWatch(positionals, names, host) : undefined
    const inputs = await reader.inputs(positionals, { names, parts: true })
    const mends = options.fix || options['fix-dry-run']
    if (options.fix) refuseUnwritable(inputs, 'validate', 'fix')
    if (options.watch && !inputs.some(({ name }) => name !== '-' && !isUrl(name))) {
      throw new UsageError('missing-argument', 'validate --watch: expected a FILE', 'name a file or a folder to watch')
    }
    const mending = { ...context, checker, writes: options.fix }
    const results: Result[] = []
    const notes: string[] = []
    let unwritable = false
    for await (const content of reader.contents(inputs)) {
      const { file, bytes, pointer, folder } = content
      if (bytes === undefined) {
        results.push(unreadable(content))
        continue
      }
      const around = folder === undefined ? undefined : () => reader.folder(folder)
      const nearby = isUrl(file) ? undefined : (paths: readonly string[]) => reader.nearby(file, paths)
      const place = { file, pointer, around, nearby }
      const mended = mends ? await (await import('../validate/mend.ts')).mendAll(bytes, place, mending) : undefined
      const checked = mended?.checked ?? (await checker.check(bytes, place))
      const result = addFingerprints(maskResult(mended?.bytes ?? bytes, checked, reader), checked.document)
      results.push(pointer === undefined ? result : { ...result, part: pointer })
      // A valid file needs no excerpt. Dropping its source keeps memory from growing.
      if (result.diagnostics.length === 0) reader.sources.delete(file)
      if (mended === undefined) continue
      for (const one of mended.notes) notes.push(one)
      print(mended.diff)
      unwritable ||= mended.unwritable
    }
    const { 'write-baseline': written } = options
    const baseline = await baselineFor(options, configuration, results, host)
    const reviewed = baseline?.review(results) ?? { results, notes: [] }
    return {
      results: reviewed.results,
      notes: [
        ...notes,
        ...(written === undefined ? [] : [`wrote ${written}`]),
        ...reviewed.notes,
        ...summary(results, options['fix-dry-run']),
        ...(mends ? [] : fixable(reviewed.results)),
        ...(inputs.some(({ isFound }) => isFound) || reader.leftOut.size > 0
          ? (await import('../walk/account.ts')).account(results, reader.leftOut)
          : []),
      ],
      limits: compact({ failOn, maxWarnings }),
      isMasked: true,
      ...(change && { change }),
      ...(unwritable && { exit: EXIT.unreadable }),
    }
  },
})

interface BaselineOptions {
  readonly baseline: string | undefined
  readonly 'write-baseline': string | undefined
}

/** The baseline that was just written, or the one that the command line or the configuration names. */
async function baselineFor(
  { baseline, 'write-baseline': written }: BaselineOptions,
  configuration: Configuration,
  results: readonly Result[],
  host: Host,
): Promise<Baseline | undefined> {
  if (written !== undefined && baseline !== undefined)
    throw new UsageError('wrong-arguments', '--baseline and --write-baseline exclude each other', 'leave out one')
  const path = written ?? baseline ?? configuration.baseline
  if (path === undefined) return undefined
  const { Baseline } = await import('../validate/baseline.ts')
  const at = resolve(host.cwd, path)
  return written === undefined ? Baseline.read(at, host) : Baseline.write(at, results, host)
}

/** Adds fingerprints of findings. For a confidential document they are computed without its values. */
function addFingerprints(result: Result, document: Document | undefined): Result {
  if (document === undefined || result.diagnostics.length === 0) return result
  const value = isConfidential(document) ? undefined : document.value
  return { ...result, fingerprints: fingerprint(result.diagnostics, value) }
}

/** Masks confidential parts in excerpts and findings. */
function maskResult(bytes: Uint8Array, { result, document }: CheckResult, reader: Reader): Result {
  const { diagnostics } = result
  if (diagnostics.length === 0) return result
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

/** Refuses unknown names: a misspelled one would leave its rule unchanged without notice. */
async function refuseUnknownRules(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { ruleFault } = await import('../validate/parse-configuration.ts')
  const fault = ruleFault(names)
  if (fault !== undefined) throw new UsageError('unknown-code', fault.message, fault.hint)
}

/** Describes the results. With --fix-dry-run, they are those of the fixed documents. */
function summary(results: readonly Result[], isDry: boolean): string[] {
  const [is, are, before] =
    isDry && results.some(({ fixes = 0 }) => fixes !== 0)
      ? ['would be', 'would be', 'there would be ']
      : ['is', 'are', '']
  if (results.length !== 1) {
    const valid = results.filter((result) => result.valid)
    return results.length === 0 ? [] : [`${valid.length} of ${results.length} documents ${are} valid`]
  }
  const { file, kind, part, valid } = results[0]!
  if (!valid) return kind === null || part !== undefined ? [] : [`${file} ${is} not valid (${kind})`]
  return [
    part === undefined
      ? `${file} ${is} valid (${kind}${levelOf(results[0]!)})`
      : `${before}no error at ${part} of ${file}`,
  ]
}

/** Says how to fix errors that have a fix. */
function fixable(results: readonly Result[]): string[] {
  const files = results.filter(({ file }) => file !== null && file !== '<stdin>' && !isUrl(file))
  const errors = files.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ severity, fix }) => severity === 'error' && fix?.edits !== undefined),
  )
  if (errors.length === 0) return []
  return [errors.length === 1 ? '1 error has a fix: add --fix' : `${errors.length} errors have fixes: add --fix`]
}

function levelOf({ conformance }: Result): string {
  if (conformance === undefined) return ''
  const { specification, level } = conformance as Conformance
  return `, level ${level} of ${specification}`
}
