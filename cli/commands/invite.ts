import { signRequest } from '../../bindings/agp/tasks.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { isObject, type JsonObject, member } from '../../bindings/text/members.ts'
import { validate, verify } from '../../bindings/wellknown/invite/verbs.ts'
import { callerIn } from '../asking.ts'
import { answer, type Context, defineCommand, EXIT, type Options, type Outcome, UsageError } from '../command.ts'
import { expected, PRIVATE_FILE, PRIVATE_KEY, readKey, readKeys, TRUSTED_KEYS, usable } from '../keys.ts'
import { jsonText } from '../report/report.ts'
import { save } from '../save.ts'
import { ask, neededServer, neededToken, noAnswer, SERVER } from '../server.ts'

const DAY = 86_400

export const create = defineCommand({
  options: {
    server: SERVER,
    days: { value: 'N', number: true, about: 'days until it expires, at most 366 (default 7)' },
    uses: { value: 'N', number: true, about: 'how often it can be redeemed (default 1)' },
    out: { value: 'FILE', about: 'write the invitation to this file' },
  },
  async run(context) {
    const { name, options, positionals, host, print } = context
    const [agent, ...more] = positionals
    if (agent === undefined || more.length > 0)
      throw new UsageError(
        'missing-argument',
        `${name} takes the NAME of one agent`,
        'as in blazon invite create alice',
      )
    const { server, days = 7, uses = 1, out } = options
    const { origin } = neededServer(name, server)
    const headers = { authorization: `Bearer ${neededToken(name, host)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ seconds: days * DAY, uses })
    const url = `${origin}/agents/${encodeURIComponent(agent)}/invitations`
    const answered = await ask(host, url, { method: 'POST', headers, body })
    if ('problem' in answered || answered.status !== 201) throw noAnswer(origin, answered)
    const members = membersOf(answered.bytes)
    const [id, invitation] = [member(members, 'id'), member(members, 'invitation')]
    if (typeof id !== 'string' || !/^[\w-]{22}$/.test(id) || !isObject(invitation))
      throw noAnswer(origin, { problem: `${origin} did not answer with an invitation` })
    const text = jsonText(invitation)
    if (out === undefined) print(text)
    else await save(host, out, text, PRIVATE_FILE)
    const unsigned =
      member(members, 'signed') === true ? [] : ['it is not signed: the server does not have the key of the agent']
    return {
      results: [answer({ id, uses })],
      notes: [`its id at the server is ${id}; use it to revoke the invitation`, ...unsigned],
    }
  },
})

/** The longest token that is shown; the answer comes from a stranger. */
const TOKEN = /^[\w.-]{1,1024}$/
const OPTIONS = {
  key: TRUSTED_KEYS,
  as: { value: 'AGENT', about: 'the invited agent, which signs the request' },
  'signing-key': { ...PRIVATE_KEY, about: 'its private key: a file, env:NAME, or -' },
} as const satisfies Options

export const redeem = defineCommand({
  options: OPTIONS,
  async run(context): Promise<Outcome> {
    const { options, positionals, reader, host, print } = context
    const read = await reader.document(reader.file(positionals, 'redeem takes one invitation'))
    const { file, document } = read
    const result = { file, kind: 'invite', valid: false }
    const { valid, diagnostics } = validate(document)
    if (!valid) return { results: [{ ...result, diagnostics }] }
    const faults = await faultsOf(document, context)
    if (faults.length > 0) return { results: [{ ...result, diagnostics: faults }], exit: EXIT.unverified }
    const { invite } = document.value as { readonly invite: Invite }
    const { origin, hostname } = new URL(invite.wellKnown)
    if (options.key.length === 0 && hostname !== invite.agent.slice('agent:'.length).toLowerCase()) {
      const message = `${file}: the code would go to ${hostname}, which is not the domain of the agent`
      throw new UsageError(
        'other-host',
        message,
        'give the key of the agent with --key, so that the invitation can be verified',
      )
    }
    const body = JSON.stringify({ code: invite.code })
    const request = { method: 'POST', url: `${origin}/agent/invite`, body }
    const headers = { 'content-type': 'application/json', ...(await signatureOf(request, context)) }
    const answered = await ask({ ...host, send: host.fetch }, request.url, { method: 'POST', headers, body })
    if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
    const given = tokenIn(membersOf(answered.bytes))
    if (given === undefined) throw noAnswer(origin, { problem: `${origin} did not answer with a token` })
    print(`${given}\n`)
    const note = `send it as a bearer token to read ${invite.wellKnown}, until ${invite.expires}`
    return { results: [{ ...result, valid: true, diagnostics }], notes: [note] }
  },
})

/** Signs the request if an agent is given. Without one, only servers whose operator allows it accept the code. */
async function signatureOf(request: signRequest.Request, context: Context<typeof OPTIONS>) {
  const { as, 'signing-key': key } = context.options
  if (as === undefined && key === undefined) return {}
  if (as === undefined || key === undefined)
    throw new UsageError(
      'missing-option',
      '--as and --signing-key belong together',
      'as in --as agent:alice.example.com --signing-key alice.key',
    )
  return usable(signRequest(request, { key: await readKey(key, context), as: callerIn(as) }))
}

interface Invite {
  readonly agent: string
  readonly wellKnown: string
  readonly code: string
  readonly expires: string
}

/** Why an invitation does not verify with the given keys; without keys, only its expiry is checked. */
async function faultsOf(
  document: Parameters<typeof verify>[0],
  context: Context<typeof OPTIONS>,
): Promise<readonly Diagnostic[]> {
  const keys = await readKeys(context.options.key, context)
  const { steps } = await verify(document, { expect: expected(keys) })
  const counted = keys.length > 0 ? steps : steps.filter(({ name }) => name === 'expires')
  return counted.flatMap(({ diagnostic }) => diagnostic ?? [])
}

function tokenIn(members: JsonObject): string | undefined {
  const token = isObject(members) ? member(members, 'token') : undefined
  return typeof token === 'string' && TOKEN.test(token) ? token : undefined
}
