import { membersOf } from '../../../bindings/document/parse.ts'
import { isObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { PRIVATE_FILE } from '../../keys.ts'
import { ask, noAnswer } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { jsonText } from '../../report/report.ts'
import { save } from '../../save.ts'
import { UsageError } from '../../usage.ts'

const DAY = 86_400

/** `blazon invite create`: lets the server create an invitation to one of its agents. */
export const command = defineCommand({
  usage: 'NAME --server URL [OPTION]...',
  details: [
    'Lets the server create an invitation to the agent NAME (ADP/1.1 section 8.3.1),',
    'and writes it to stdout, or to the file of --out, which only you can read:',
    'anyone with its code gets in, once, until it expires. BLAZON_TOKEN in the',
    'environment is a token of the server with the scope publish, or publish-one for',
    '/agents/NAME.',
  ],
  options: {
    server: SERVER,
    days: { value: 'N', number: true, about: 'days until it expires, at most 366 (default 7)' },
    uses: { value: 'N', number: true, about: 'how often it can be redeemed (default 1)' },
    out: { value: 'FILE', about: 'write the invitation to this file' },
  },
  examples: [
    'blazon invite create alice --server https://agents.example.com --out invite.json',
    'blazon invite create alice --server https://agents.example.com --days 1 --uses 5',
  ],
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
    if ('problem' in answered || answered.status !== 201) return { results: [noAnswer(origin, answered)] }
    const members = membersOf(answered.bytes)
    const [id, invitation] = [member(members, 'id'), member(members, 'invitation')]
    if (typeof id !== 'string' || !/^[\w-]{22}$/.test(id) || !isObject(invitation))
      return { results: [noAnswer(origin, { problem: `${origin} did not answer with an invitation` })] }
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
