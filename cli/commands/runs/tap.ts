import { homedir } from 'node:os'
import { createRecorder } from '../../../bindings/runs/record/recorder.ts'
import { defineCommand } from '../../command.ts'
import { PRIVATE_KEY, readKey } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { placeOf, RUN_TOKEN, sinkAt } from '../../runs/place.ts'
import { McpTap, passLines, type Side, started } from '../../runs/tap/tap.ts'
import { EXIT, type ExitCode, UsageError } from '../../usage.ts'

/** `blazon runs tap`: records what an MCP client and its server say to each other, and changes none of it. */
export const command = defineCommand({
  usage: '[--to PLACE] -- COMMAND [ARGUMENT]...',
  details: [
    'Starts an MCP server, and passes every byte between it and the client on stdin',
    'and stdout. Each call is recorded before the server gets it. Put it before the',
    "command in the client's settings. Exits as the server does.",
  ],
  options: {
    to: { value: 'PLACE', about: 'the folder or server of the runs (default ~/.blazon/runs)' },
    token: RUN_TOKEN,
    signer: { ...PRIVATE_KEY, about: 'sign checkpoints with this key: a file, or env:NAME' },
    tenant: { value: 'NAME', about: 'the tenant of the runs (default local)' },
  },
  examples: ['blazon runs tap --to runs -- npx @modelcontextprotocol/server-everything'],
  async run(context) {
    const { options, host, rest = [] } = context
    const [program, ...args] = rest
    if (program === undefined)
      throw new UsageError(
        'missing-argument',
        'runs tap: expected -- and a COMMAND',
        'as in blazon runs tap -- node server.js',
      )
    const { tenant = 'local', signer } = options
    const key = signer === undefined ? {} : { signer: await readKey(signer, context) }
    const place = placeOf(options.to, `${homedir()}/.blazon/runs`, host)
    const sink = await sinkAt(place, options.token, context)
    const tap = new McpTap((head) => createRecorder({ tenant_id: tenant, ...head }, { sink, patience: 2000, ...key }))
    const server = await started(program, args)
    if (server instanceof Error) {
      const reason = `${program} cannot be started: ${server.message}`
      return { results: [answer({})], exit: EXIT.unreadable, reason, notes: [reason] }
    }
    // Whatever fails here, the bytes pass.
    let fault: unknown
    const take = (from: Side) => (line: Uint8Array) =>
      tap.take(from, line).catch((error: unknown) => {
        fault = error
      })
    // A request goes on after its intent is recorded; an answer at once.
    const requests = passLines(host.stdin, server.stdin, take('client'), 'before')
    const answers = passLines(server.stdout, host.stdout, take('server'), 'after')
    const code = await server.code
    host.stdin.destroy?.()
    await Promise.allSettled([answers, Promise.race([requests, answers])])
    const failure = code === 0 ? undefined : `the server exited with ${code}`
    const dropped = fault === undefined ? await tap.end(failure) : undefined
    const notes = dropped === 0 ? [] : [`${dropped ?? 'all'} lines were not recorded${fault ? `: ${fault}` : ''}`]
    return {
      results: [],
      exit: code as ExitCode,
      notes,
      ...(code !== 0 && { reason: `${program} exited with ${code}` }),
    }
  },
})
