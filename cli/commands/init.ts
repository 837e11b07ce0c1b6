import { resolve } from 'node:path'
import type { TemplateName } from '../../bindings/adl/templates.ts'
import type { CardTemplateName } from '../../bindings/card/templates.ts'
import type { Context, Outcome } from '../context.ts'
import { UsageError } from '../usage.ts'

const encoder = new TextEncoder()

const CARD_TEMPLATES: readonly string[] = ['minimal', 'tools']

/** `blazon init`: writes a definition or a card to begin with, never over a file. */
export async function run({ options, positionals, host }: Context): Promise<Outcome> {
  const kind = options.text('kind') ?? 'adl'
  const [path = kind === 'card' ? 'agent.card.json' : 'agent.adl.yaml', ...more] = positionals
  if (more.length > 0)
    throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, 'init writes one file')
  if (!/\.(?:json|ya?ml|adl)$/.test(path)) {
    throw new UsageError(
      'invalid-value',
      `${path}: expected a file that ends in .json, .yaml or .adl`,
      'as in blazon init agent.adl.yaml',
    )
  }
  const document = await newDocument(kind, options, options.text('name') ?? nameFrom(path))
  const text = path.endsWith('.json')
    ? await toJson(document)
    : (await import('../../bindings/document/yaml/stringify.ts')).toYaml(document)
  const result = { file: path, kind, valid: true, diagnostics: [], text }
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

async function newDocument(kind: string, options: Context['options'], name: string): Promise<object> {
  const template = options.text('template') ?? 'minimal'
  const now = new Date()
  if (kind !== 'card') {
    const { newDefinition } = await import('../../bindings/adl/templates.ts')
    return newDefinition(template as TemplateName, name, now)
  }
  if (!CARD_TEMPLATES.includes(template)) {
    const hint = `templates of cards are ${CARD_TEMPLATES.join(' and ')}`
    throw new UsageError('invalid-value', `--template: there is no card "${template}"`, hint)
  }
  const { newCard } = await import('../../bindings/card/templates.ts')
  return newCard(template as CardTemplateName, name, now)
}

/** In the style of `blazon fmt`. */
async function toJson(document: object): Promise<string> {
  const { parse } = await import('../../bindings/document/parse.ts')
  const { formatJson } = await import('../../bindings/document/fmt.ts')
  return new TextDecoder().decode(formatJson(parse(JSON.stringify(document)).document!))
}

/** `invoice-agent.adl.yaml`: Invoice agent. */
function nameFrom(path: string): string {
  const base = path.replace(/^.*[/\\]/, '').replace(/(?:\.(?:adl|card))?\.\w+$/, '')
  const words = base.replace(/[-_.]+/g, ' ').trim()
  return words === '' ? 'Agent' : words[0]!.toUpperCase() + words.slice(1)
}
