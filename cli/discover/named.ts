// Reads which agent the command line names: by its domain, or an invitation, which replaces the DNS for a private one.
import type { DiscoveryOptions } from '../../bindings/discover/trust/discover.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Options, Tools } from '../command.ts'
import { Unreadable } from '../outcome.ts'
import { UsageError } from '../usage.ts'
import { domainOf } from './asking.ts'

export const TOKEN = {
  token: { value: 'TOKEN', about: 'the token for a private agent: a file, env:NAME, or -' },
} as const satisfies Options

export interface NamedDomain {
  readonly domain: string
  readonly invitation: Document | undefined
  /** For `discover`. */
  readonly given: Pick<DiscoveryOptions, 'invitation' | 'token'>
}

type WithToken = Tools & { readonly options: { readonly token: string | undefined } }

/** Reads the token, if the option is given. */
export async function tokenOf(tools: WithToken): Promise<{ readonly token?: string }> {
  const { token } = tools.options
  return token === undefined ? {} : { token: await (await import('../keys.ts')).readToken('token', token, tools) }
}

/** No domain has such an ending. */
const FILE = /\.(?:json|ya?ml)$/i

export async function agentNamed(
  [text, ...more]: readonly string[],
  command: string,
  tools: WithToken,
): Promise<NamedDomain> {
  if (text === undefined || more.length > 0) {
    const hint = `as in blazon ${command} alice.example.com`
    throw new UsageError('wrong-arguments', `${command} takes one domain, or one invitation`, hint)
  }
  const token = await tokenOf(tools)
  if (text !== '-' && !FILE.test(text)) return { domain: domainOf(text), invitation: undefined, given: token }
  const invitation = await invitationIn(text, tools)
  const { agent } = (invitation.value as { readonly invite: { readonly agent: string } }).invite
  return { domain: domainOf(agent), invitation, given: { invitation, ...token } }
}

/** Reads an invitation; an invalid one ends the command. */
async function invitationIn(file: string, { reader }: Tools): Promise<Document> {
  const { validate } = await import('../../bindings/wellknown/invite/verbs.ts')
  const { document, file: name } = await reader.document(file)
  const { valid, diagnostics } = validate(document, { file: name })
  if (valid) return document
  throw new Unreadable({ file: name, kind: 'invite', diagnostics })
}
