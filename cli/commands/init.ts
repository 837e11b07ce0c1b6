import type { TemplateName } from '../../bindings/adl/templates.ts'
import type { CardTemplateName } from '../../bindings/card/templates.ts'
import type { DiscoveryProof } from '../../bindings/discover/trust/run.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { type Kind, rowOf } from '../../bindings/kinds.ts'
import { SPECIFICATIONS, specificationOf } from '../../bindings/specifications.ts'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import { ASKING, type Asking, bothForms, dnsOf, domainOf, whoIsAsked } from '../asking.ts'
import {
  type Context,
  defineCommand,
  type Options,
  type Tools,
  Unreadable,
  UsageError,
  type Values,
} from '../command.ts'
import { PRIVATE_FILE, readKey, usable } from '../keys.ts'
import { word } from '../report/report.ts'
import { save, saveFolder } from '../save.ts'

/** A copy: the list in bindings/adl would load the templates, which only `init` needs. */
export const TEMPLATES = [
  'minimal',
  'tools',
  'production',
  'governance',
  'portfolio',
  'healthcare',
  'financial',
] as const satisfies readonly TemplateName[]

type Make = (about: About, key: Key | undefined, context: Context<typeof OPTIONS>) => Promise<object>

/** Kinds with options of their own. Others need a name and a description. */
const OWN: Partial<Record<Kind, Make>> = { adl: newDefinition, card: newCard, wellknown: newMetadata }

/** Kinds that `init` does not write, and where to get them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  invite: 'the server of the agent makes one: blazon invite create NAME --server URL',
  trace: 'a discovery records one: blazon discover DOMAIN --record FILE',
  a2a: 'convert another document: blazon convert FILE --to a2a-1.0 --url URL',
  'adl-discovery': 'a server makes it from its definitions: blazon publish FILE --server URL',
}

const CARD_TEMPLATES: readonly CardTemplateName[] = ['minimal', 'tools']

const OPTIONS = {
  kind: {
    value: 'KIND',
    choices: SPECIFICATIONS.filter(({ template }) => template).map(({ kind }) => kind),
    elsewhere: ELSEWHERE,
    about: 'the kind of document to write (default adl)',
  },
  from: { value: 'DOMAIN', about: 'metadata: start from what this agent publishes now' },
  ...ASKING,
  template: { value: 'NAME', choices: TEMPLATES, about: 'the template (default minimal)' },
  name: { value: 'NAME', about: 'the name of the agent (default: from FILE or the domain)' },
  description: { value: 'TEXT', about: 'what the agent does (default: a placeholder)' },
  skill: { value: 'TAG', many: true, about: 'card: what the agent can do (blazon tags list)' },
  developer: { value: 'NAME', about: 'agentlang: your name as a developer (default: a placeholder)' },
  domain: { value: 'DOMAIN', about: 'metadata: the domain of the agent' },
  key: { value: 'KEY', about: 'the key that will sign the document: a file, env:NAME, or -' },
  'new-key': { value: 'FILE', about: 'generate that key and write it to FILE' },
  schema: { value: 'URI', about: 'the JSON Schema for editors' },
  ci: { about: 'write a workflow for GitHub Actions that checks the repository' },
  action: { value: 'REPO@COMMIT', about: 'ci: owner/name of Blazon, and its commit' },
  'dry-run': { about: 'write to stdout instead' },
} as const satisfies Options

type Own = Values<typeof OPTIONS>

export const command = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { options, positionals, host, print } = context
    const { kind = 'adl', schema, ci, action } = options
    const { template } = specificationOf(kind)!
    const [path = template!.file, ...more] = positionals
    if (more.length > 0)
      throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, 'init writes one file or folder')
    if (ci) return (await import('../init-ci.ts')).initCi(positionals[0], options, context)
    if (action !== undefined) throw new UsageError('wrong-arguments', '--action is for workflows', 'add --ci')
    await expectFit(options)
    if (kind === 'agentlang') return initAgent(path, context)
    if (!/\.(?:json|ya?ml|adl)$/.test(path)) {
      const message = `${path}: expected a file that ends in .json, .yaml or .adl`
      throw new UsageError('invalid-value', message, 'as in blazon init agent.adl.yaml')
    }
    const named = options.domain?.replace(/^agent:|\..*/g, '') ?? path
    const about = { name: options.name ?? nameFrom(named), description: options.description, skills: options.skill }
    const { key, source, notes } = await signingKey(context)
    const made = await (OWN[kind]?.(about, key, context) ?? template!.make!().then((make) => make(about.name, about)))
    const document = schema === undefined ? made : Object.assign({ $schema: schema }, made, { $schema: schema })
    const text = path.endsWith('.json')
      ? await toJson(document)
      : (await import('../../bindings/document/yaml/stringify.ts')).toYaml(document)
    const results = [{ file: path, kind, valid: true, diagnostics: [], text }]
    if (options['dry-run']) {
      print(text)
      return { results, notes: [`${path} was not written`] }
    }
    try {
      await save(host, path, text, { create: true })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const { code, message } = error
      const hint = code === 'exists' ? 'init never overwrites a file: name another one' : error.hint
      const kept = options['new-key'] === undefined ? '' : `; the key exists now: continue with --key ${word(source)}`
      throw new UsageError(code, message, `${hint}${kept}`)
    }
    const signing = key === undefined ? 'KEY' : source
    return {
      results,
      notes: [
        ...notes,
        `wrote ${path}: blazon validate ${word(path)} ${options.from === undefined ? 'lists what is left to fill in' : 'checks it'}`,
        ...(rowOf(kind).isSigned
          ? [
              `then sign it: blazon sign ${word(path)} --key ${word(signing)} --out ${word(path.replace(/\.\w+$/, '.json'))}`,
            ]
          : []),
        ...(key === undefined && kind === 'card'
          ? ['nobody can verify a card with such an id: --new-key FILE makes a key and uses its id']
          : []),
      ],
    }
  },
})

async function initAgent(path: string, { options, host, print }: Context<typeof OPTIONS>) {
  const { newAgentFolder } = await import('../../bindings/agentlang/verbs.ts')
  const { toYaml } = await import('../../bindings/document/yaml/stringify.ts')
  const { schema, description, developer, 'dry-run': dryRun } = options
  if (schema !== undefined) throw new UsageError('wrong-arguments', '--schema is for single files', 'leave it out')
  const made = newAgentFolder(options.name ?? nameFrom(path), { description, developer })
  const files = Object.entries(made).map(([name, document]) => ({ name, text: toYaml(document) }))
  const results = [{ file: path, kind: 'agentlang' as const, valid: true, diagnostics: [] }]
  if (dryRun) {
    for (const { name, text } of files) print(`# ${name}\n${text}`)
    return { results, notes: [`${path} was not written`] }
  }
  const encoder = new TextEncoder()
  await saveFolder(host, path, new Map(files.map(({ name, text }) => [name, encoder.encode(text)])))
  return {
    results,
    notes: [
      `wrote ${path}: blazon validate ${word(path)} lists what is left to fill in`,
      `then build it: blazon agent build ${word(path)} --key KEY`,
    ],
  }
}

const SAY_IT = 'as in --description "Finds papers and sums them up." --skill research'

/** Refuses options that do not fit the kind. */
async function expectFit(options: Own): Promise<void> {
  const { kind, template, name, description, developer, skill, from, domain, resolver, anchors } = options
  const { key, 'new-key': newKey } = options
  if (name?.trim() === '')
    throw new UsageError(
      'invalid-value',
      '--name: expected a name, got an empty one',
      'leave out --name to use that of FILE',
    )
  if (description?.trim() === '' || skill.some((tag) => tag.trim() === ''))
    throw new UsageError('invalid-value', '--description and --skill: expected a text, got an empty one', SAY_IT)
  if (skill.length > 0 && kind !== 'card')
    throw new UsageError('wrong-arguments', '--skill is for cards', 'add --kind card')
  if (developer !== undefined && kind !== 'agentlang')
    throw new UsageError('wrong-arguments', '--developer is for agents of AgentLang', 'add --kind agentlang')
  if (from !== undefined && description !== undefined)
    throw new UsageError(
      'wrong-arguments',
      '--from and --description exclude each other',
      'edit the file that it writes',
    )
  if (from === undefined && (resolver ?? anchors) !== undefined)
    throw new UsageError('wrong-arguments', '--resolver and --anchors are for --from', 'leave them out')
  if (kind === 'card' && template !== undefined && !CARD_TEMPLATES.some((one) => one === template)) {
    const hint = `templates of cards are ${CARD_TEMPLATES.join(' and ')}`
    throw new UsageError('invalid-value', `--template: there is no card "${template}"`, hint)
  }
  if (kind !== undefined && OWN[kind] === undefined && (template ?? key ?? newKey) !== undefined)
    throw new UsageError('wrong-arguments', `--kind ${kind} takes no key and no template`, 'leave them out')
  if (kind === 'wellknown') await expectMetadata(options)
  else if (from !== undefined || domain !== undefined)
    throw new UsageError('wrong-arguments', '--from and --domain are for metadata', 'add --kind wellknown')
}

interface SigningKey {
  readonly key: Key | undefined
  /** As `--key` names it. */
  readonly source: string
  readonly notes: readonly string[]
}

/** Reads the key of --key, or makes a new one and writes it before the document that contains it. */
async function signingKey(context: Context<typeof OPTIONS>): Promise<SigningKey> {
  const { key: named, 'new-key': file, 'dry-run': dryRun } = context.options
  if (named !== undefined && file !== undefined)
    throw new UsageError('wrong-arguments', '--key and --new-key exclude each other', 'name one key')
  if (named !== undefined) return { key: await readKey(named, context), source: named, notes: [] }
  if (file === undefined) return { key: undefined, source: '', notes: [] }
  if (dryRun) throw new UsageError('wrong-arguments', '--dry-run writes no key', 'name an existing key with --key')
  const { exportKey, generateKey } = await import('../../bindings/keys/index.ts')
  const key = await generateKey('Ed25519')
  await save(context.host, file, await exportKey(key, 'pem'), PRIVATE_FILE)
  return { key, source: file, notes: [`wrote the private key to ${file}; only you can read it`] }
}

/** What the command line gives about the agent. */
interface About {
  readonly name: string
  readonly description: string | undefined
  readonly skills: readonly string[]
}

async function newDefinition(
  about: About,
  key: Key | undefined,
  { options }: Context<typeof OPTIONS>,
): Promise<object> {
  const { template = 'minimal' } = options
  const { newDefinition } = await import('../../bindings/adl/templates.ts')
  const { publicKeyMember } = await import('../../bindings/adl/signature/keys.ts')
  // The last one of an RSA key is PS256, which `sign` also uses by default.
  const publicKey = key && (await publicKeyMember(key, key.algorithms.at(-1)!))
  return newDefinition(template, about.name, { ...about, now: new Date(), publicKey })
}

async function newCard(about: About, key: Key | undefined, { options }: Context<typeof OPTIONS>): Promise<object> {
  const template = CARD_TEMPLATES.find((one) => one === options.template)
  const { newCard } = await import('../../bindings/card/templates.ts')
  const { agentIdOf } = await import('../../bindings/card/agent-uri.ts')
  return newCard(template ?? 'minimal', about.name, {
    ...about,
    now: new Date(),
    id: key && (await usable(agentIdOf(key))),
  })
}

/** Metadata names its agent and key. Checked before a key is made. */
async function expectMetadata({ template, from, domain, key, 'new-key': file }: Own): Promise<void> {
  const hint = 'as in --domain alice.example.com --new-key alice.key'
  if (template !== undefined)
    throw new UsageError('wrong-arguments', '--template is for definitions and cards', 'leave it out')
  if (from !== undefined && domain !== undefined)
    throw new UsageError('wrong-arguments', '--from and --domain exclude each other', 'name one domain')
  if (from !== undefined) return
  if (domain === undefined || (key === undefined && file === undefined))
    throw new UsageError('wrong-arguments', 'metadata needs the domain and the key of the agent', hint)
  const { domainIn } = await import('../../bindings/wellknown/identity.ts')
  if (domainIn(domain) === undefined)
    throw new UsageError('invalid-value', '--domain: expected the name of a host', hint)
}

async function newMetadata(about: About, key: Key | undefined, context: Context<typeof OPTIONS>): Promise<object> {
  const { from, domain } = context.options
  if (from === undefined) {
    const { build } = await import('../../bindings/wellknown/build.ts')
    const { domainIn } = await import('../../bindings/wellknown/identity.ts')
    const { descriptionOf } = await import('../../bindings/frame/placeholders.ts')
    const { name, description = descriptionOf(name) } = about
    const of = { name, description }
    const host = domainIn(domain!)!
    // The paths of the Worker.
    const endpoints = { chat: `wss://${host}/agent/chat`, tasks: `https://${host}/agent/tasks` }
    return (await usable(build({ domain: host, key: key! }, { of, endpoints }))).metadata!
  }
  const { nextMetadata } = await import('../../bindings/wellknown/build.ts')
  return usable(nextMetadata(await publishedBy(from, context), key))
}

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

// Fetches the metadata that the agent of a domain currently publishes.

/** Fetches the metadata and updates its `dns` block by what was seen. Announces the request first. */
async function publishedBy(text: string, tools: Tools & { readonly options: Asking }): Promise<JsonObject> {
  const { host, say, options } = tools
  const domain = domainOf(text)
  const dns = await dnsOf(tools, options)
  say(`asking ${whoIsAsked(tools, options)} for ${bothForms(domain)}, and the server that it names`)
  const { discover } = await import('../../bindings/discover/trust/discover.ts')
  const { agent, proof } = await discover(domain, { ...dns, fetch: host.fetch })
  if (agent?.metadata !== undefined) return withDns(agent.metadata.value as JsonObject, proof)
  throw new Unreadable({ file: domain, diagnostics: proof.steps.flatMap(({ diagnostic }) => diagnostic ?? []) })
}

/** The block of section 6.3.6: only what was seen now, in addition to the agent's own members. */
function withDns(metadata: JsonObject, { steps, levels }: DiscoveryProof): JsonObject {
  const { dns, ...others } = metadata
  const { svcbVerified: _, dnssecSigned: __, dane: ___, ...own } = isObject(dns) ? dns : {}
  const passed = (name: string) => steps.find((step) => step.name === name && step.outcome === 'passed')
  const record = passed('tlsa')?.data?.['record']
  const [usage, selector, matchingType] = typeof record === 'string' ? record.replace('SHA2', 'SHA').split(' ') : []
  const seen = {
    ...own,
    ...(passed('svcb') !== undefined && { svcbVerified: true }),
    ...(levels.some(({ level, quality }) => level === 'dns-verified' && quality === 'checked') && {
      dnssecSigned: true,
    }),
    ...(usage !== undefined && { dane: { supported: true, usage, selector, matchingType } }),
  }
  return Object.keys(seen).length === 0 ? others : { ...others, dns: seen }
}
