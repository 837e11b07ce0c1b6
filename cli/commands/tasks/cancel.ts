import { cancelTask } from '../../../bindings/agp/tasks.ts'
import { defineCommand } from '../../command.ts'
import { TOKEN, tokenOf } from '../../discover/named.ts'
import { readKey, usable } from '../../keys.ts'
import { jsonLine } from '../../report/report.ts'
import { addressIn, CALLER, callerIn, outcomeOf } from '../../tasks/own.ts'

/** `blazon tasks cancel`: cancels a task. */
export const command = defineCommand({
  usage: 'URL --as AGENT --key KEY [--token TOKEN]',
  details: [
    'Asks the agent to cancel a task, and writes its answer as JSON. Only the sender',
    'of a task can cancel it: the request is signed. Exits 3 without an answer.',
  ],
  options: { ...CALLER, ...TOKEN },
  examples: ['blazon tasks cancel https://bob.example.com/agent/tasks/ID --as agent:alice.example.com --key alice.key'],
  async run(context) {
    const { name, options, positionals, host, print } = context
    const key = await readKey(options.key, context)
    const caller = { key, as: callerIn(options.as), fetch: host.fetch, ...(await tokenOf(context)) }
    const answered = await usable(cancelTask(addressIn(name, positionals), caller))
    if (answered.ok) print(jsonLine(answered.task))
    return outcomeOf(answered)
  },
})
