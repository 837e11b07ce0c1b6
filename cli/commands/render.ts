import { compileTemplate } from '../../bindings/core/template.ts'
import { diagnose, Lines } from '../../bindings/document/diagnose.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { kindOfName } from '../../bindings/frame/detect.ts'
import { exactMembers } from '../../bindings/frame/integers.ts'
import { isObject } from '../../bindings/text/members.ts'
import { compact, defineCommand, UsageError, unreadable } from '../command.ts'
import { TEMPLATE_VALUES } from '../findings.ts'
import { type Bytes, isReadable, type Reader } from '../reader.ts'

/** The core reports values that are not strings. */
type Values = Record<string, string>

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const command = defineCommand({
  options: {
    text: { value: 'TEXT', about: 'the template itself, instead of FILE' },
    prompt: { value: 'NAME', about: 'the prompt of the definition' },
    target: { value: 'TARGET', choices: ['markdown', 'xml'], about: 'the form of a prompt.yaml (default markdown)' },
    strict: { about: 'refuse a prompt.yaml with variables that have no value' },
    escape: { about: 'escape {{ as \\{{ in values of prompts' },
    var: { value: 'NAME=VALUE', many: true, about: 'a value; overrides --vars' },
    vars: { value: 'FILE', about: 'a JSON object with values' },
  },
  async run(context) {
    const { options, positionals, reader, print } = context
    const { text, prompt, vars } = options
    const single = options.var.map(readVariable)
    const template = await readTemplate(text, positionals, reader)
    const values = vars === undefined ? undefined : await readValues(vars, reader)
    const read = values === undefined ? [] : [values.result]
    const { file } = template
    if (template.bytes === undefined) return { results: [...read, unreadable(template)] }
    if (values !== undefined && values.members === undefined) return { results: read }
    // Plain members, even one named __proto__.
    const variables = Object.fromEntries([...(values?.members ?? []), ...single])
    if (text === undefined) {
      if (kindOfName(file) === 'prompt' || options.target !== undefined) {
        const { renderSections } = await import('../prompts.ts')
        const { target = 'markdown', strict } = options
        const outcome = renderSections(
          template.bytes,
          file,
          { variables: variables as Values, target, strict },
          context,
        )
        return { ...outcome, results: [...read, ...outcome.results] }
      }
      const { readDefinition, renderDefinition } = await import('../prompts.ts')
      const parsed = readDefinition(template.bytes, file, prompt !== undefined)
      if (parsed !== undefined) {
        const { document, diagnostics } = parsed
        if (document === undefined) return { results: [...read, { ...unreadable({ file, diagnostics }), kind: 'adl' }] }
        const delimiters = options.escape ? 'escape' : 'refuse'
        const outcome = renderDefinition(document, file, { variables, delimiters, ...compact({ prompt }) }, context)
        return { ...outcome, results: [...read, ...outcome.results] }
      }
    }
    try {
      const compiled = compileTemplate(template.bytes, { file })
      const bytes = compiled.renderBytes(variables as Values)
      const rendered = { text: decoder.decode(bytes), bytes: bytes.length }
      const unused = single.filter(([name]) => !compiled.names.includes(name))
      print(bytes)
      return {
        results: [...read, { file, kind: null, valid: true, diagnostics: [], ...rendered }],
        notes: unused.map(([name]) => `--var ${name}: the template has no {{${name}}}`),
      }
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      return { results: [...read, unreadable({ file, diagnostics: error.diagnostics })] }
    }
  },
})

function readVariable(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new UsageError('invalid-value', `--var: expected NAME=VALUE, got "${text}"`, 'as in --var name=World')
}

async function readTemplate(text: string | undefined, positionals: readonly string[], reader: Reader): Promise<Bytes> {
  const given = positionals.length + (text === undefined ? 0 : 1)
  if (given > 1)
    throw new UsageError(
      'wrong-arguments',
      `render: expected one template, got ${given}`,
      'give one FILE, -, or --text',
    )
  if (text === undefined) return reader.tryBytes(reader.files(positionals)[0]!)
  const bytes = new TextEncoder().encode(text)
  reader.sources.set('<text>', new Lines(bytes))
  return { file: '<text>', bytes }
}

/** The members of the JSON object in a file (undefined for anything else), and the result for the file. */
async function readValues(name: string, reader: Reader) {
  const read = await reader.tryDocument(name)
  if (!isReadable(read)) return { members: undefined, result: unreadable(read) }
  const { file, document, diagnostics } = read
  const { value } = document
  if (isObject(value)) {
    const members = Object.entries(exactMembers(document, { pointer: '', value }))
    return { members, result: { file, kind: null, valid: true, diagnostics } }
  }
  const detail = 'expected an object with a member for each variable'
  const refusal = diagnose(document.lines, TEMPLATE_VALUES, { ...document.source(''), pointer: '', detail }, file)
  return { members: undefined, result: unreadable({ file, diagnostics: [...diagnostics, refusal] }) }
}
