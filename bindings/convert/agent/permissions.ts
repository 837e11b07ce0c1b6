// The constraints and commands of an agent as permissions of a definition, which denies everything else. The definition
// never grants more than the agent asks for: an entry that ADL cannot say as narrowly is not granted.

import type { Agent } from '../../agentlang/folder.ts'
import { commandFault } from '../../agentlang/functions/tools/contract.ts'
import { normalizeHost } from '../../policy/host.ts'
import { elements, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import type { Job } from '../job.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'

/** Makes `permissions` and `runtime`, where the agent has something for them. */
export function writePermissions({ root, ledger }: Job, agent: Agent): MutableObject {
  const constraints = objectMember(root, 'constraints')
  const sandbox = objectMember(constraints, 'sandbox')
  const seconds = moveTime(ledger, objectMember(constraints, 'limits'), 'timeout', [
    '/permissions/resource_limits/max_duration_sec',
    1,
  ])
  const milliseconds = moveTime(ledger, sandbox, 'max_exec_time', ['/runtime/tool_invocation/timeout_ms', 1000])
  const hosts = hostsOf(ledger, sandbox)
  const commands = commandsOf(ledger, agent)
  const permissions = {
    ...(hosts.length > 0 && {
      network: { allowed_hosts: hosts, allowed_ports: [443], allowed_protocols: ['https'] },
    }),
    ...(commands.length > 0 && { execution: { allowed_commands: commands } }),
    ...(seconds !== undefined && { resource_limits: { max_duration_sec: seconds } }),
  }
  return {
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(milliseconds !== undefined && { runtime: { tool_invocation: { timeout_ms: milliseconds } } }),
  }
}

function moveTime(
  ledger: Ledger,
  of: PlacedObject | undefined,
  name: string,
  [target, factor]: readonly [string, number],
): number | undefined {
  const value = member(of?.value, name)
  const time = Number(value) * factor
  if (typeof value !== 'number' || time <= 0 || !Number.isSafeInteger(time)) return undefined
  if (factor === 1) ledger.moved(`${of!.pointer}/${name}`, target)
  else ledger.shown(`${of!.pointer}/${name}`, target, 'in milliseconds')
  return time
}

/** The hosts of the URLs that allow a whole host by HTTPS. */
function hostsOf(ledger: Ledger, sandbox: PlacedObject | undefined): readonly string[] {
  const hosts: string[] = []
  for (const { value, pointer } of elements(sandbox, 'allowed_urls', isText)) {
    const [, star = '', name = ''] = /^https:\/\/(\*\.)?([^/:@?#*]+)\/?$/.exec(value) ?? []
    const host = normalizeHost(name)
    if (host === undefined) continue
    ledger.shown(pointer, `/permissions/network/allowed_hosts/${hosts.length}`, 'its host')
    hosts.push(star + host)
  }
  return hosts
}

/** The commands that are one program, with any arguments and without a shell. */
function commandsOf(ledger: Ledger, agent: Agent): readonly string[] {
  const commands: string[] = []
  for (const { value, pointer } of agent.named('bash_tools')) {
    const command = member(value, 'command')
    if (!isText(command) || command.includes(' ') || commandFault(command) !== undefined) continue
    const known = commands.indexOf(command)
    const at = known < 0 ? commands.push(command) - 1 : known
    ledger.shown(`${pointer}/command`, `/permissions/execution/allowed_commands/${at}`, 'as it is')
  }
  return commands
}
