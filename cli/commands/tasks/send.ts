import { sendTask } from '../../../bindings/agp/tasks.ts'
import { discover } from '../../../bindings/discover/trust/discover.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { defineCommand } from '../../command.ts'
import { ASKING, dnsOf } from '../../discover/asking.ts'
import { agentNamed, TOKEN } from '../../discover/named.ts'
import { readKey, usable } from '../../keys.ts'
import { CALLER, callerIn, outcomeOf } from '../../tasks/own.ts'
import { given, UsageError } from '../../usage.ts'

/** `blazon tasks send`: finds an agent and sends it a task. */
export const command = defineCommand({
  usage: 'AGENT|INVITATION TASK --as AGENT --key KEY [OPTION]...',
  details: [
    'Finds the agent of a domain, sends it a task (ADP/1.1 section 7.3.1), and writes',
    'the URL of the status of the task. The request is signed with your key, which',
    'your own metadata must contain. The result goes to the URL of --callback, which',
    'must be at an origin of your own metadata; or get it with blazon tasks status. A',
    'private agent needs an invitation instead of a domain, and the token from blazon',
    'invite redeem (--token). Exits 3 if the task was not accepted.',
  ],
  options: {
    ...CALLER,
    input: { value: 'FILE', about: 'the input as JSON: a file or - (default null)' },
    callback: { value: 'URL', about: 'send the result to this URL' },
    once: { value: 'KEY', about: 'an idempotency key: a request with the same one is the same task' },
    ...TOKEN,
    ...ASKING,
  },
  examples: [
    'blazon tasks send bob.example.com code-review --as agent:alice.example.com --key alice.key --input change.json',
  ],
  async run(context) {
    const { options, positionals, reader, host, print, say } = context
    const [agent, task, ...more] = positionals
    if (agent === undefined || task === undefined || more.length > 0)
      throw new UsageError(
        'wrong-arguments',
        'tasks send takes an agent and a task',
        'as in bob.example.com code-review',
      )
    const { as, input, callback, once } = options
    const { domain, given: found } = await agentNamed([agent], 'tasks send', context)
    const key = await readKey(options.key, context)
    const value = input === undefined ? undefined : (await reader.document(input)).document.value
    const dns = await dnsOf(context, options)
    say(`looking for ${domain}`)
    const request = { task, ...given({ input: value, callback }) }
    const sent = await usable(
      sendTask(domain, request, {
        key,
        as: callerIn(as),
        fetch: host.fetch,
        // An invitation names the key, so the DNS does not have to.
        discover: (name) =>
          discover(name, {
            ...dns,
            ...found,
            fetch: host.fetch,
            ...(found.invitation === undefined && { require: 'key-verified' }),
          }),
        ...given({ idempotencyKey: once, token: found.token }),
      }),
    )
    if (sent.ok) print(`${visible(sent.task.statusUrl)}\n`)
    return outcomeOf(sent, ['blazon tasks status shows its result'])
  },
})
