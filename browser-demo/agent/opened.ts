// Reads an agent: the files of a folder, agent.yaml alone, or a container. Nothing in it is started.
import { type OpenedContainer, openContainer, readableFiles } from '../../bindings/agentlang/container/seal.ts'
import { AGENT_FILE, MOST_BYTES, MOST_FILES } from '../../bindings/agentlang/files.ts'
import { type Agent, mayBelong } from '../../bindings/agentlang/folder.ts'
import { load, validate } from '../../bindings/agentlang/verbs.ts'
import type { Diagnostic, Files } from '../../bindings/document/types.ts'
import { isForeign, type NamedFile } from '../files.ts'

/** The source of an agent, so that it can be judged again with other keys. */
export type AgentSource = Files | Uint8Array

export interface AgentKeys {
  readonly keys?: readonly string[]
  readonly secret?: string
}

export interface OpenedAgent {
  /** Undefined when it cannot be read. */
  readonly agent: Agent | undefined
  /** The files that are not encrypted. */
  readonly files: Files
  readonly diagnostics: readonly Diagnostic[]
  readonly container?: OpenedContainer
}

/** Reads what was dropped or picked; returns the reason where it is not an agent. */
export async function readSource(files: readonly NamedFile[]): Promise<AgentSource | string> {
  const container = files.length === 1 ? files.find(({ path }) => path.endsWith('.agent')) : undefined
  if (container !== undefined)
    return container.file.size > MOST_BYTES ? TOO_LARGE : new Uint8Array(await container.file.arrayBuffer())
  const own = files.filter(({ path }) => !path.split('/').some(isForeign))
  const roots = own.flatMap(({ path }) =>
    `/${path}`.endsWith(`/${AGENT_FILE}`) ? [path.slice(0, -AGENT_FILE.length)] : [],
  )
  const root = roots.sort((a, b) => a.length - b.length)[0]
  if (root === undefined) return `There is no ${AGENT_FILE}, and no container that ends in .agent.`
  const inside = own
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, file }) => ({ path: path.slice(root.length), file }))
  if (inside.length > MOST_FILES) return `The folder has more than ${MOST_FILES} files.`
  const needed = inside.filter(({ path }) => mayBelong(path))
  if (needed.reduce((sum, { file }) => sum + file.size, 0) > MOST_BYTES) return TOO_LARGE
  const bytes = new Map<string, Uint8Array>(inside.map(({ path }) => [path, new Uint8Array(0)]))
  for (const { path, file } of needed) bytes.set(path, new Uint8Array(await file.arrayBuffer()))
  return bytes
}

const TOO_LARGE = `An agent has at most ${MOST_BYTES >> 20} MiB.`

/**
 * Judges an agent. One whose container was changed is not read.
 *
 * @throws {KeyError} for a malformed key, {RangeError} for a malformed secret.
 */
export async function judge(source: AgentSource, keys: AgentKeys): Promise<OpenedAgent> {
  if (source instanceof Map) return judgeFiles(source)
  const container = await openContainer(source as Uint8Array, keys)
  if (container.files === undefined) {
    const diagnostics = container.proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    return { agent: undefined, files: new Map(), diagnostics, container }
  }
  return { ...judgeFiles(readableFiles(container)), container }
}

function judgeFiles(files: Files): OpenedAgent {
  const { agent, diagnostics } = load(files)
  return { agent, files, diagnostics: agent === undefined ? diagnostics : validate(files).diagnostics }
}
