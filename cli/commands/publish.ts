import type { Diagnostic } from '../../bindings/document/types.ts'
import { refuseOther } from '../../bindings/frame/steps.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { INDEX, KEY_VARIABLE, LOGIN, REGISTRY_VARIABLE, SECRET } from '../agentlang/options.ts'
import { defineCommand } from '../command.ts'
import { PUBLISH_LEFT_OUT } from '../findings.ts'
import { isAgentFile } from '../inputs/expand.ts'
import { PRIVATE_KEY } from '../keys.ts'
import { placeholdersIn } from '../open.ts'
import { unreadable } from '../outcome.ts'
import { byName, notSent, publishCard, publishNamed } from '../publish/named.ts'
import { missingToken, type PublishResult, type Refusal, readTarget, refused, SERVER } from '../publish/target.ts'
import { isReadable, type ReadResult } from '../reader.ts'
import { UsageError } from '../usage.ts'

const PUBLISHED: readonly Kind[] = ['adl', 'card', 'wellknown']

/** Documents that are sent at the same time. */
const AT_ONCE = 8

/** `blazon publish`: sends definitions and metadata to a Worker of Blazon, and cards to a directory. */
export const command = defineCommand({
  usage: 'FILE... --server URL [OPTION]...',
  details: [
    'Sends each definition to URL/agents/NAME/adl.json, where NAME is that of the',
    'file, and ADP/1.1 metadata to agent.json in the same folder. BLAZON_TOKEN in the',
    'environment is the token of the server. The server refuses invalid documents,',
    'and those that need a confirmation without one. If several files have the same',
    'NAME, only the signed one is sent, and none if that is ambiguous. Agent Cards go',
    'to the directory of the server (adp.advertise), which accepts signed cards from',
    'anyone. If it is busy, cards are sent again. A document that still has a',
    'template text of blazon init is not sent. With --registry, containers of agents',
    'go to HOST/DEVELOPER/NAME:VERSION. A folder is built first, as locked.',
  ],
  options: {
    server: SERVER,
    reviewed: { about: 'confirm that someone checked what publishing reveals' },
    acknowledge: { value: 'POINTER', many: true, about: 'confirm the bare * at this pointer' },
    replace: { about: 'let a definition replace other content of the same version' },
    'allow-placeholders': { about: 'also send documents with template texts of init' },
    vouch: { about: 'send the token with cards, so that unsigned ones are accepted' },
    registry: {
      value: 'HOST',
      about: `for containers and folders of AgentLang: an OCI registry, or oci:FOLDER (without --server, default ${REGISTRY_VARIABLE})`,
    },
    ...LOGIN,
    'dry-run': { about: 'with --registry: send nothing, and print what would be sent' },
    key: {
      ...PRIVATE_KEY,
      about: `the private key that signs the container of a folder (default env:${KEY_VARIABLE})`,
      variable: KEY_VARIABLE,
    },
    secret: SECRET,
    index: INDEX,
  },
  examples: [
    'blazon publish agents/*.adl.yaml --server https://agents.example.com',
    'blazon publish cards/ --server https://agents.example.com',
    'blazon publish coach@1.0.0.agent --registry registry.example.com',
  ],
  async run({ options, positionals, reader, host, print, say, note }) {
    const { server, registry = server === undefined ? host.env[REGISTRY_VARIABLE] : undefined } = options
    if (registry) {
      const { publishAgents } = await import('../agentlang/registry.ts')
      return publishAgents(registry, [positionals, options], { host, reader, print, say, note })
    }
    if (options['dry-run'] || server === undefined)
      throw new UsageError('missing-option', 'publish needs --server URL, or --registry HOST for agents', NAME_ONE)
    const target = readTarget(options.server, options, host)
    const inputs = await reader.inputs(positionals, { names: 'all' })
    if (target.token === undefined && inputs.some(({ name }) => isAgentFile(name))) throw missingToken('publish')
    say(`publishing to ${target.origin}`)
    const results: PublishResult[] = []
    let others = 0
    const isMeant = ({ file, kind }: ReadResult) =>
      positionals.includes(file) || (kind === undefined ? isAgentFile(file) : PUBLISHED.includes(kind))
    const asNamed = (read: ReadResult) => {
      if (!isReadable(read) || !isMeant(read)) return undefined
      const { kind = 'adl' } = read
      return kind === 'adl' || kind === 'wellknown' ? kind : undefined
    }
    const send = async (read: ReadResult): Promise<PublishResult | undefined> => {
      if (!isReadable(read)) return unreadable(read)
      // Documents of other kinds in a folder are skipped.
      if (!isMeant(read)) return undefined
      const { file, document, diagnostics } = read
      const named = asNamed(read)
      if (named === undefined && read.kind !== 'card')
        return unreadable({ ...read, diagnostics: refuseOther(read, PUBLISHED) })
      const left = options['allow-placeholders'] ? [] : await placeholdersIn(document, read.kind)
      if (left.length > 0) return refused(document, file, named ?? 'card', placeholdersLeft(left))
      const result =
        named === undefined
          ? await publishCard(document, file, target, host)
          : await publishNamed(named, document, file, target, host)
      return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] }
    }
    let batch: (PublishResult | undefined | Promise<PublishResult | undefined>)[] = []
    const finish = async () => {
      for (const result of await Promise.all(batch)) {
        if (result === undefined) others++
        else {
          results.push(result)
          print(lineOf(result))
        }
      }
      batch = []
      reader.showProgress(`published ${results.length + others} of ${inputs.length}`)
    }
    for await (const reads of byName(inputs, reader, asNamed)) {
      const kept = notSent(reads, asNamed)
      for (const read of reads) {
        batch.push(kept.get(read) ?? send(read))
        if (batch.length === AT_ONCE) await finish()
      }
    }
    await finish()
    return { results, notes: [summary(results, others, target.origin)] }
  },
})

const NAME_ONE = 'as in --server https://agents.example.com, or --registry registry.example.com'

function placeholdersLeft(left: readonly Diagnostic[]): Refusal {
  const [first] = left
  const more = left.length === 1 ? '' : `, and ${left.length - 1} more`
  const detail = `${first!.source.pointer} is still a template text of blazon init${more}`
  const hint = 'replace it (blazon validate lists all) and sign again, or send it anyway with --allow-placeholders'
  return { detail, hint }
}

/** The URL of a published definition, or the answer of the directory for a card. */
function lineOf({ url, advertised, valid }: PublishResult): string {
  if (typeof url === 'string') return `${url}\n`
  if (!valid || advertised === undefined) return ''
  return `${advertised.id}\t${advertised.reason}\n`
}

function summary(results: readonly PublishResult[], others: number, origin: string): string {
  const reasons = new Map<string, number>()
  for (const { advertised } of results) {
    if (advertised === undefined) continue
    const { stored, reason } = advertised
    const words = stored ? 'stored' : reason === 'equal' ? 'unchanged' : `not stored (${reason})`
    reasons.set(words, (reasons.get(words) ?? 0) + 1)
  }
  const cards = [...reasons].map(([words, n]) => `${n} ${words}`).join(', ')
  const leftOut = results.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => code === PUBLISH_LEFT_OUT.code),
  ).length
  const published = results.filter(({ valid }) => valid).length - leftOut
  return [
    `${published} of ${results.length - leftOut} published at ${origin}`,
    ...(cards === '' ? [] : [`cards: ${cards}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} skipped`]),
    ...(others === 0 ? [] : [`${others} of another kind`]),
  ].join('; ')
}
