import { resolve } from 'node:path'
import type { TemplateName } from '../../bindings/adl/templates.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../usage.ts'

const encoder = new TextEncoder()

/** A copy: the list in bindings/adl comes with the templates themselves, which are loaded only to write one. */
export const TEMPLATES = [
  'minimal',
  'tools',
  'production',
  'governance',
  'portfolio',
  'healthcare',
  'financial',
] as const satisfies readonly TemplateName[]

/** `blazon init`: writes a definition or a card to start with, and never overwrites a file. */
export const command = defineCommand({
  usage: '[FILE] [--kind KIND] [--template NAME] [OPTION]...',
  details: [
    'Writes agent.adl.yaml, or FILE: YAML, or JSON when it ends in .json. Never over',
    'a file that is there already. The template is minimal, tools, production, or one',
    'of a profile: governance, portfolio, healthcare, financial. A card goes to',
    'agent.card.json; its template is minimal or tools.',
  ],
  options: {
    kind: { value: 'KIND', choices: ['adl', 'card'], about: 'what to write (default adl)' },
    template: { value: 'NAME', choices: TEMPLATES, about: 'what it holds (default minimal)' },
    name: { value: 'NAME', about: 'name of the agent; from FILE when absent' },
    'dry-run': { about: 'write to stdout instead' },
  },
  examples: [
    'blazon init',
    'blazon init invoices.adl.json --template production',
    'blazon init translator.card.json --kind card',
  ],
  async run({ options, positionals, host, print }) {
    const { kind = 'adl', template = 'minimal' } = options
    const [path = kind === 'card' ? 'agent.card.json' : 'agent.adl.yaml', ...more] = positionals
    if (more.length > 0)
      throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, 'init writes one file')
    if (!/\.(?:json|ya?ml|adl)$/.test(path)) {
      const message = `${path}: expected a file that ends in .json, .yaml or .adl`
      throw new UsageError('invalid-value', message, 'as in blazon init agent.adl.yaml')
    }
    const name = options.name ?? nameFrom(path)
    const document = kind === 'card' ? await newCard(template, name) : await newDefinition(template, name)
    const text = path.endsWith('.json')
      ? await toJson(document)
      : (await import('../../bindings/document/yaml/stringify.ts')).toYaml(document)
    const results = [{ file: path, kind, valid: true, diagnostics: [], text }]
    if (options['dry-run']) {
      print(text)
      return { results, notes: [`${path} was not written`] }
    }
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
    return { results, notes: [`wrote ${path}: look at it with blazon validate ${path}`] }
  },
})

async function newDefinition(template: TemplateName, name: string): Promise<object> {
  const { newDefinition } = await import('../../bindings/adl/templates.ts')
  return newDefinition(template, name, new Date())
}

async function newCard(template: TemplateName, name: string): Promise<object> {
  if (template !== 'minimal' && template !== 'tools') {
    const hint = 'templates of cards are minimal and tools'
    throw new UsageError('invalid-value', `--template: there is no card "${template}"`, hint)
  }
  const { newCard } = await import('../../bindings/card/templates.ts')
  return newCard(template, name, new Date())
}

/** Formatted like the output of `blazon fmt`. */
async function toJson(document: object): Promise<string> {
  const { parse } = await import('../../bindings/document/parse.ts')
  const { formatJson } = await import('../../bindings/document/fmt.ts')
  return new TextDecoder().decode(formatJson(parse(JSON.stringify(document)).document!))
}

/** `invoice-agent.adl.yaml` becomes `Invoice agent`. */
function nameFrom(path: string): string {
  const base = path.replace(/^.*[/\\]/, '').replace(/(?:\.(?:adl|card))?\.\w+$/, '')
  const words = base.replace(/[-_.]+/g, ' ').trim()
  return words === '' ? 'Agent' : words[0]!.toUpperCase() + words.slice(1)
}
