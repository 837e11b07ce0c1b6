import { DOMAINS, ENVIRONMENTS, mayProvision, type ProvisionFinding } from '../../bindings/adl/provision/provision.ts'
import { parseInventory, parseTrust } from '../../bindings/adl/records.ts'
import { validate, verify } from '../../bindings/adl/verbs.ts'
import { KeyError } from '../../bindings/keys/base64.ts'
import { importKey } from '../../bindings/keys/import.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { HOST } from '../agentlang/options.ts'
import { compact, defineCommand, EXIT, UsageError } from '../command.ts'
import { expectOptionsFor, RESOLVE, readRecord, resolving } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { counted } from '../report/report.ts'

export const command = defineCommand({
  options: {
    environment: { value: 'NAME', choices: ENVIRONMENTS, about: 'where the agent will run (default production)' },
    enforces: { value: 'DOMAIN', many: true, choices: DOMAINS, about: 'a permission domain that the host enforces' },
    trust: { value: 'FILE', about: 'the providers, issuers, keys and registries to trust' },
    inventory: { value: 'FILE', about: 'the approved agents; all others are refused' },
    source: { value: 'URL', about: 'the URL that the definition came from' },
    trusted: { about: 'trust the source of the definition' },
    acknowledge: { value: 'NAME', many: true, about: 'accept a refusal, by the name shown' },
    'allow-scheme': { value: 'SCHEME', many: true, about: 'allow another URI scheme than https, http, urn' },
    resolve: RESOLVE,
    host: HOST,
  },
  async run(context) {
    const { options, positionals, reader, print } = context
    const { environment = 'production', enforces, acknowledge: acknowledged, 'allow-scheme': allowSchemes } = options
    const trust = await readRecord(options.trust, reader, parseTrust)
    const inventory = await readRecord(options.inventory, reader, parseInventory)
    const keys = await trustedKeys(trust?.keys)
    const verifying = { ...(keys && { expect: { keys } }), ...resolving(options.resolve, context) }
    const asked = { environment, enforces, acknowledged, allowSchemes, ...compact({ trust, inventory }) }
    const unused = new Set(acknowledged)
    let between = ''
    const judge = async (read: Readable) => {
      const { file, document, diagnostics } = read
      if (read.kind !== 'adl') {
        expectOptionsFor(read, options, { environment: 'adl', inventory: 'adl', source: 'adl' })
        const { gateAgent } = await import('../agentlang/agent.ts')
        const gated = await gateAgent(
          read,
          { hostName: options.host, keys: keys ?? [], isTrusted: options.trusted },
          context,
        )
        print(between, gated.text)
        between = '\n'
        return gated.result
      }
      const report = validate(document)
      const proof = await verify(document, verifying)
      const url = options.source ?? (file.startsWith('https://') ? file : undefined)
      const source = { trusted: options.trusted, ...compact({ url }) }
      const provisioning = mayProvision(document, { ...asked, proof, source })
      for (const name of provisioning.acknowledged) unused.delete(name)
      const valid = report.valid && provisioning.allowed
      print(between, describeProvisioning(file, valid, provisioning))
      between = '\n'
      return { file, kind: 'adl', valid, diagnostics: [...diagnostics, ...report.diagnostics], provisioning }
    }
    const results = await reader.results(await reader.inputs(positionals, { names: 'agents' }), judge, {
      only: ['adl', 'agentlang', 'container'],
    })
    const refused = results.filter(({ valid }) => !valid).length
    const reason = `${refused} of ${counted(results.length, 'agent')} may not run`
    const notes = [...unused].map((name) => `--acknowledge ${name}: no refusal has that name`)
    return { results, notes, ...(refused > 0 && { exit: EXIT.findings, reason }) }
  },
})

async function trustedKeys(keys: readonly string[] | undefined) {
  if (keys === undefined) return undefined
  try {
    return await Promise.all(keys.map(async (key) => (await importKey(key)).publicKey))
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const hint = 'a key is PEM, a JWK in JSON, or base64'
    throw new UsageError('unusable-key', `--trust: a key of the file: ${error.message} (${error.code})`, hint)
  }
}

function describeProvisioning(
  file: string,
  allowed: boolean,
  { reasons, obligations, successor, daysLeft }: mayProvision.Result,
): string {
  const row =
    (word: string) =>
    ({ id, detail, acknowledge }: ProvisionFinding) => {
      const way = word === 'refuses' && acknowledge !== undefined ? ` (--acknowledge ${acknowledge})` : ''
      return `  ${word}  ${id}: ${visible(detail)}${visible(way)}`
    }
  const rows = [
    `${visible(file)}: ${allowed ? 'may run' : 'may not run'}`,
    ...(reasons.length === 0 && !allowed ? ['  refuses  invalid: the definition has errors'] : []),
    ...reasons.map(row('refuses')),
    ...obligations.map(row('demands')),
    ...(daysLeft === undefined ? [] : [`  days until the sunset date: ${daysLeft}`]),
    ...(successor === undefined ? [] : [`  successor: ${visible(successor)}`]),
  ]
  return `${rows.join('\n')}\n`
}
