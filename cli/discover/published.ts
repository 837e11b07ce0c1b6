// Fetches the metadata that the agent of a domain currently publishes.
import { discover } from '../../bindings/discover/trust/discover.ts'
import type { DiscoveryProof } from '../../bindings/discover/trust/run.ts'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import type { Tools } from '../command.ts'
import { Unreadable } from '../outcome.ts'
import { type Asking, bothForms, dnsOf, domainOf, whoIsAsked } from './asking.ts'

/** Fetches the metadata and updates its `dns` block by what was seen. Announces the request first. */
export async function publishedBy(text: string, tools: Tools & { readonly options: Asking }): Promise<JsonObject> {
  const { host, say, options } = tools
  const domain = domainOf(text)
  const dns = await dnsOf(tools, options)
  say(`asking ${whoIsAsked(tools, options)} for ${bothForms(domain)}, and the server that it names`)
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
