import { resolve } from 'node:path'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import { Lines } from '../../bindings/document/lines.ts'
import type { Kind } from '../../bindings/document/report.ts'
import type { Ruleset } from '../../bindings/document/rule.ts'
import type { Diagnostic, Severity } from '../../bindings/document/types.ts'
import { type ValidateOptions, validate } from '../../bindings/validate.ts'
import type { Context, Outcome, Result } from '../context.ts'
import type { Bytes } from '../reader.ts'
import { UsageError } from '../usage.ts'
import type { Configuration } from '../validate/configuration.ts'
import { applyFixes } from '../validate/fix.ts'
import { mask } from '../validate/mask.ts'
import { readConfiguration } from '../validate/read-configuration.ts'
import { suppress } from '../validate/suppress.ts'

const OTHER_ADDRESS: FindingKind = {
  code: 'BADL-164',
  rule: 'id-address',
  title: 'Document of another address',
  spec: 'ADL 6.1',
  severity: 'error',
}

const SEVERITIES: readonly string[] = ['error', 'warning', 'info', 'off']

/** `blazon validate`: checks documents of any kind that is known, by the rules that the configuration leaves on. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader, host } = context
  const configuration = await readConfiguration(context)
  const base = optionsOf(context, configuration)
  const allNames = options.has('as')
  const results: Result[] = []
  const notes: string[] = []
  for await (const content of reader.contents(await reader.inputs(positionals, { allNames, parts: true }))) {
    const result = check(content, base, configuration)
    if (content.bytes === undefined) results.push(result)
    else if (!(options.has('fix') || options.has('fix-dry-run'))) results.push(masked(content.bytes, result, context))
    else {
      const { bytes, fixes } = applyFixes(
        content.bytes,
        (fixed) => check({ ...content, bytes: fixed }, base, configuration).diagnostics,
      )
      const fixed = check({ ...content, bytes }, base, configuration)
      reader.sources.set(content.file, new Lines(bytes))
      results.push({ ...masked(bytes, fixed, context), fixes })
      const dry = options.has('fix-dry-run')
      if (fixes > 0 && !dry) await host.write(resolve(host.cwd, content.file), bytes)
      if (fixes > 0)
        notes.push(`${content.file}: ${fixes} ${fixes === 1 ? 'fix' : 'fixes'} ${dry ? 'not written' : 'written'}`)
    }
  }
  const { failOn, maxWarnings } = configuration
  const limits = { ...(failOn !== undefined && { failOn }), ...(maxWarnings !== undefined && { maxWarnings }) }
  return { results, output: [], notes: [...notes, ...summary(results)], limits }
}

function check(
  content: Bytes & { readonly pointer?: string },
  base: ValidateOptions,
  configuration: Configuration,
): Result {
  const { file } = content
  if (content.bytes === undefined) return { file, kind: null, valid: false, diagnostics: [content.diagnostic] }
  const report = validate(content.bytes, { ...base, file, rules: { ...configuration.rulesFor(file), ...base.rules } })
  const adjusted = report.diagnostics.flatMap((diagnostic) => configuration.adjust(diagnostic, file) ?? [])
  const kept = suppress(content.bytes, adjusted, configuration.suppressionsFor(file), file)
  const diagnostics = [...kept, ...otherAddress(content.bytes, file)].filter(({ source }) =>
    isBelow(source.pointer, content.pointer),
  )
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return { file, kind: report.kind ?? null, valid, diagnostics }
}

/** The result as it may be shown: what is confidential is starred in excerpts and findings. */
function masked(bytes: Uint8Array, result: Result, { reader }: Context): Result {
  if (result.diagnostics.length === 0 || result.kind !== 'adl') return result
  const { file, diagnostics } = result
  const shown = mask(bytes, diagnostics, file!)
  if (shown === undefined) return result
  reader.sources.set(file!, shown.lines)
  return { ...result, diagnostics: shown.diagnostics }
}

/** What stands behind `#`: only findings there are shown. */
function isBelow(pointer: string, wanted: string | undefined): boolean {
  return wanted === undefined || pointer === wanted || pointer.startsWith(`${wanted}/`)
}

/** A document that was fetched from an address says that it is of this address, when it says so at all (ADL 6.1). */
function otherAddress(bytes: Uint8Array, file: string): Diagnostic[] {
  if (!file.startsWith('https:')) return []
  const id = idOf(bytes)
  if (id === undefined || !id.startsWith('https:') || [id, `${id}/adl.json`].includes(file)) return []
  const detail = `the document's id is ${id}, and it was read from ${file}`
  return [diagnose(new Lines(bytes), OTHER_ADDRESS, { pointer: '/id', offset: 0, endOffset: 0, detail }, file)]
}

function idOf(bytes: Uint8Array): string | undefined {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function optionsOf({ options }: Context, configuration: Configuration): ValidateOptions {
  const as = options.text('as') as Kind | undefined
  const ruleset = (options.text('ruleset') as Ruleset | undefined) ?? configuration.ruleset
  const undefinedMembers = options.has('allow-undefined') ? ({ undefinedMembers: 'warning' } as const) : {}
  return {
    ...(as !== undefined && { as }),
    ...(ruleset !== undefined && { ruleset }),
    ...undefinedMembers,
    rules: Object.fromEntries(options.list('rule').map(readRule)),
  }
}

function readRule(text: string): readonly [string, Severity | 'off'] {
  const [rule, severity] = text.split('=') as [string, string?]
  if (rule !== '' && severity !== undefined && SEVERITIES.includes(severity))
    return [rule, severity as Severity | 'off']
  throw new UsageError(
    'invalid-value',
    `--rule: expected RULE=SEVERITY, got "${text}"`,
    `SEVERITY is ${SEVERITIES.join(', ')}`,
  )
}

function summary(results: readonly Result[]): string[] {
  const valid = results.filter((result) => result.valid)
  if (results.length === 1 && valid.length === 1) return [`${results[0]!.file} is valid (${results[0]!.kind})`]
  return results.length > 1 ? [`${valid.length} of ${results.length} documents are valid`] : []
}
