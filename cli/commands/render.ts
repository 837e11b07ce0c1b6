import { compileTemplate } from '../../bindings/core/template.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import { type Diagnostic, DocumentError, Lines } from '../../bindings/document/index.ts'
import { exactMembers } from '../../bindings/document/integers.ts'
import { isObject } from '../../bindings/document/members.ts'
import type { Context, Outcome, Result } from '../context.ts'
import type { Reader } from '../reader.ts'
import { UsageError } from '../usage.ts'

const NO_OBJECT: FindingKind = {
  code: 'DOC-160',
  rule: 'template/values',
  title: 'Values that are no object',
  spec: 'docs/cli.md',
  severity: 'error',
}

type Values = Record<string, string>

export async function run({ options, positionals, reader }: Context): Promise<Outcome> {
  const given = options.list('var').map(readVariable)
  const template = await readTemplate(options.text('text'), positionals, reader)
  const results: Result[] = []
  const variables = new Map<string, unknown>()
  const file = options.text('vars')
  if (file !== undefined) {
    const values = await readValues(file, reader)
    results.push({
      file: values.file,
      kind: null,
      valid: values.members !== undefined,
      diagnostics: values.diagnostics,
    })
    for (const [name, value] of values.members ?? []) variables.set(name, value)
  }
  for (const [name, value] of given) variables.set(name, value)
  if ('diagnostic' in template) {
    results.push({ file: template.file, kind: null, valid: false, diagnostics: [template.diagnostic] })
    return { results, output: [] }
  }
  if (results.some(({ valid }) => !valid)) return { results, output: [] }
  // Members of their own, also the one that is called __proto__.
  const values = Object.fromEntries(variables)
  if (options.text('text') === undefined) {
    const { readDefinition, renderDefinition } = await import('../definition.ts')
    const prompt = options.text('prompt')
    const parsed = readDefinition(template.bytes, template.file, prompt !== undefined)
    if (parsed !== undefined) {
      const { document, diagnostics } = parsed
      if (document === undefined) {
        return { results: [...results, { file: template.file, kind: 'adl', valid: false, diagnostics }], output: [] }
      }
      const delimiters = options.has('escape') ? 'escape' : 'refuse'
      const wanted = { variables: values, delimiters, ...(prompt !== undefined && { prompt }) } as const
      const outcome = renderDefinition(document, template.file, wanted)
      return { ...outcome, results: [...results, ...outcome.results] }
    }
  }
  try {
    const compiled = compileTemplate(template.bytes, { file: template.file })
    const bytes = compiled.renderBytes(values as Values)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const unused = given.filter(([name]) => !compiled.names.includes(name))
    return {
      results: [
        ...results,
        { file: template.file, kind: null, valid: true, diagnostics: [], text, bytes: bytes.length },
      ],
      output: [bytes],
      notes: unused.map(([name]) => `--var ${name}: the template has no {{${name}}}`),
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return {
      results: [...results, { file: template.file, kind: null, valid: false, diagnostics: error.diagnostics }],
      output: [],
    }
  }
}

function readVariable(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError('invalid-value', `--var: expected NAME=VALUE, got "${text}"`, 'as in --var name=World')
}

async function readTemplate(text: string | undefined, positionals: readonly string[], reader: Reader) {
  const given = positionals.length + (text === undefined ? 0 : 1)
  if (given > 1) {
    throw new UsageError('wrong-arguments', `render: expected one template, got ${given}`, 'give a FILE, -, or --text')
  }
  if (text === undefined) return reader.bytes(reader.files(positionals)[0]!)
  const bytes = new TextEncoder().encode(text)
  reader.sources.set('<text>', new Lines(bytes))
  return { file: '<text>', bytes }
}

/** The members of the JSON object in a file. */
async function readValues(name: string, reader: Reader) {
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { file, diagnostics, members: undefined }
  const { value } = document
  if (isObject(value))
    return { file, diagnostics, members: Object.entries(exactMembers(document, { pointer: '', value })) }
  const detail = 'expected an object with a member for each variable'
  const { offset, endOffset } = document.source('')
  const refusal: Diagnostic = diagnose(document.lines, NO_OBJECT, { pointer: '', offset, endOffset, detail }, file)
  return { file, diagnostics: [...diagnostics, refusal], members: undefined }
}
