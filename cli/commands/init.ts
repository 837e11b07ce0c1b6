import { resolve } from 'node:path'
import { newDefinition, type TemplateName } from '../../bindings/adl/templates.ts'
import type { Context, Outcome } from '../context.ts'
import { UsageError } from '../usage.ts'

const encoder = new TextEncoder()

/** `blazon init`: writes a definition to begin with, never over a file. */
export async function run({ options, positionals, host }: Context): Promise<Outcome> {
  const [path = 'agent.adl.yaml', ...more] = positionals
  if (more.length > 0)
    throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, 'init writes one file')
  if (!/\.(?:json|ya?ml|adl)$/.test(path)) {
    throw new UsageError(
      'invalid-value',
      `${path}: expected a file that ends in .adl.yaml or .adl.json`,
      'as in blazon init agent.adl.yaml',
    )
  }
  const name = options.text('name') ?? nameFrom(path)
  const definition = newDefinition((options.text('template') ?? 'minimal') as TemplateName, name, new Date())
  const text = path.endsWith('.json')
    ? await toJson(definition)
    : (await import('../../bindings/document/yaml/stringify.ts')).toYaml(definition)
  const result = { file: path, kind: 'adl', valid: true, diagnostics: [], text }
  if (options.has('dry-run')) return { results: [result], output: [text], notes: [`${path} was not written`] }
  try {
    await host.write(resolve(host.cwd, path), encoder.encode(text), { create: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UsageError('exists', `${path} is there already`, 'init never writes over a file: name another one')
    if (code === 'ENOENT')
      throw new UsageError('no-folder', `${path}: there is no such folder`, 'make the folder first')
    throw error
  }
  return { results: [result], output: [], notes: [`wrote ${path}: look at it with blazon validate ${path}`] }
}

/** In the style of `blazon fmt`. */
async function toJson(definition: object): Promise<string> {
  const { parse } = await import('../../bindings/document/parse.ts')
  const { formatJson } = await import('../../bindings/document/fmt.ts')
  return new TextDecoder().decode(formatJson(parse(JSON.stringify(definition)).document!))
}

/** `invoice-agent.adl.yaml`: Invoice agent. */
function nameFrom(path: string): string {
  const base = path.replace(/^.*[/\\]/, '').replace(/(?:\.adl)?\.\w+$/, '')
  const words = base.replace(/[-_.]+/g, ' ').trim()
  return words === '' ? 'Agent' : words[0]!.toUpperCase() + words.slice(1)
}
