// The metadata that the agent of a domain publishes now.
import { discover } from '../../bindings/discover/trust/discover.ts'
import { readAgentDomain } from '../../bindings/discover/trust/domain.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import type { Tools } from '../command.ts'
import { Unreadable } from '../outcome.ts'
import { UsageError } from '../usage.ts'

/** Asks for it, and says so before. */
export async function publishedBy(text: string, { host, say }: Tools): Promise<JsonObject> {
  const domain = domainOf(text)
  const resolver = await host.resolver(undefined)
  say(`asking ${host.runtime().nameServers[0]} for ${bothForms(domain)}, and the server that it names`)
  const { agent, proof } = await discover(domain, { resolver, fetch: host.fetch })
  if (agent?.metadata !== undefined) return agent.metadata.value as JsonObject
  throw new Unreadable({ file: domain, diagnostics: proof.steps.flatMap(({ diagnostic }) => diagnostic ?? []) })
}

/** Both forms of a domain, for letters of two scripts may look alike. */
export function bothForms(domain: string): string {
  const { ascii, unicode } = readAgentDomain(domain)
  return ascii === unicode ? ascii : `${ascii}, written ${unicode}`
}

/** The domain that a command line names, in ASCII. */
export function domainOf(text: string): string {
  try {
    return readAgentDomain(text).ascii
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${text} is no domain`, 'as in blazon discover alice.example.com')
  }
}
