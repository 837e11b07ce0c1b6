// Agents for the commands that show or judge them: a folder, agent.yaml alone, or a container.
import { type Host as AgentHost, HOSTS, readHost } from '../../bindings/agentlang/ask/host.ts'
import { type OpenedContainer, openContainer, readableFiles } from '../../bindings/agentlang/container/seal.ts'
import { AGENT_READING, type Agent } from '../../bindings/agentlang/folder.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { readAs } from '../../bindings/frame/as.ts'
import { subjectOf } from '../../bindings/frame/subject.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Kind } from '../../bindings/kinds.ts'
import type { Tools } from '../command.ts'
import { expected } from '../keys.ts'
import type { Readable, Reader } from '../reader.ts'
import { given, UsageError } from '../usage.ts'
import { HOST } from './options.ts'
import type { PulledAgent, PullOptions } from './pull.ts'

const AGENT_KINDS: readonly Kind[] = ['agentlang', 'container']

/** An agent, or the reasons why it cannot be read. */
export interface ReadAgent {
  readonly file: string
  readonly kind: Kind
  readonly agent: Agent | undefined
  readonly container?: OpenedContainer
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads an agent, unless it is in a container that was changed. */
export async function readAgent(
  read: Readable,
  keys: readonly Key[],
  { secret }: { readonly secret?: string | undefined } = {},
): Promise<ReadAgent> {
  const { file, kind = 'agentlang', document } = read
  if (kind !== 'container') {
    const { subject: agent, diagnostics } = subjectOf(AGENT_READING, read)
    return { file, kind, agent, diagnostics }
  }
  return agentIn(file, await openContainer(document, { file, ...expected(keys), ...given({ secret }) }))
}

/** The agent of a container, unless that was changed. */
function agentIn(file: string, container: OpenedContainer): ReadAgent {
  const named = { file, kind: 'container', container } as const
  if (container.files === undefined) {
    const diagnostics = container.proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    return { ...named, agent: undefined, diagnostics }
  }
  const { subject: agent, diagnostics } = readAs(AGENT_READING, readableFiles(container), `${file}/agent.yaml`)
  return { ...named, agent, diagnostics }
}

/** False for most paths of files, which need nothing that pulls containers. */
const canBeRef = (name: string) => name.startsWith('oci:') || /[:@]/.test(name.slice(name.lastIndexOf('/') + 1))

/** Reads an agent by its path or its REF. The container of a REF stays in memory. */
export async function readNamedAgent(
  name: string,
  options: PullOptions,
  tools: Tools,
): Promise<ReadAgent & Partial<PulledAgent>> {
  if (canBeRef(name)) {
    const { isRef, pullAgent } = await import('./pull.ts')
    if (isRef(name)) {
      const pulled = await pullAgent(name, options, tools)
      return { ...pulled, ...agentIn(name, pulled.opened) }
    }
  }
  const read = await tools.reader.document(name, { names: 'agents', only: AGENT_KINDS })
  return readAgent(read, options.keys, options)
}

/** Reads the host that an option names. */
export async function readHostOption(name: string | undefined, reader: Reader): Promise<AgentHost | undefined> {
  const preset = HOSTS.find((host) => host.name === name)
  if (name === undefined || preset !== undefined) return preset
  const { document } = await reader.document(name, { anything: true })
  const { host, faults } = readHost(document.value)
  if (host !== undefined) return host
  const [{ pointer, detail }] = faults as [(typeof faults)[number]]
  throw new UsageError('invalid-value', `--host: ${name}: ${pointer}: ${detail}`, HOST.about)
}
