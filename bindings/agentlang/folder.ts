// The files of an agent: which of them belong to it, and what each one is.

import type { ParseResult } from '../document/parse.ts'
import type { Diagnostic, Files } from '../document/types.ts'
import { type OpenOptions, open } from '../frame/open.ts'
import type { Reader } from '../frame/source.ts'
import { type Reading, RootSubject, subjectOf } from '../frame/subject.ts'
import { elements, isObject, member, objectMember, objectsIn, type PlacedObject, textMember } from '../text/members.ts'
import { AGENT_FILE, LOCK_FILE, UX_FILE } from './files.ts'
import { ROOT_OBJECT } from './findings.ts'
import type { SubAgent } from './lock/lock.ts'
import { LOCK_READING } from './lock/specification.ts'
import { PROMPT_READING, type Prompt } from './prompt/specification.ts'
import { SKILL_READING, type Skill } from './skill/specification.ts'
import { UX_READING } from './ux/specification.ts'

export const MOST_SUB_AGENTS = 256

/** A file of an agent with a kind of its own. */
interface Part<Subject> {
  readonly path: string
  readonly parsed: ParseResult
  /** Undefined when the file could not be read. */
  readonly subject: Subject | undefined
}

/** A path that the agent names and its folder does not have. */
interface MissingFile {
  readonly of: Agent
  readonly pointer: string
  readonly path: string
}

/** The files of an agent. */
export interface AgentFolder {
  readonly files: Files
  readonly prompts: readonly Part<Prompt>[]
  readonly subAgents: readonly Part<Agent>[]
  readonly skills: readonly Part<Skill>[]
  readonly ux: Part<RootSubject> | undefined
  readonly lock: Part<RootSubject> | undefined
  readonly missing: readonly MissingFile[]
  readonly hasMore: boolean
  /** The paths of all files that belong to the agent, except agent.lock. */
  readonly paths: readonly string[]
  readonly leftOut: readonly string[]
}

const isResource = (path: string) => /^(?:context|skills)\//.test(path)
const isPrompt = (path: string) => /^(?:specialists\/)?(?:[^/]+-)?prompt\.yaml$/.test(path)
/** True for a path whose bytes an agent may need; other files of a folder are only named. */
export const mayBelong = (path: string): boolean =>
  isResource(path) || path === LOCK_FILE || /\.(?:ya?ml|json)$/.test(path)

/** Where sub-agents lie that nobody names. */
const isBeside = (path: string) =>
  /^(?:specialists\/)?[^/]+\.yaml$/.test(path) && path !== AGENT_FILE && path !== UX_FILE && !isPrompt(path)
const isSkill = (path: string) => /^skills\/[^/]+\/SKILL\.md$/.test(path)

/** The name of a file of the agent in diagnostics. */
export function fileNameOf({ document: { file = AGENT_FILE } }: Agent, path: string): string {
  return `${file.slice(0, file.length - AGENT_FILE.length)}${path}`
}

const FOLDERS = new WeakMap<Agent, AgentFolder>()

/** Sorts out the files of an agent, once, with these readers; undefined for agent.yaml alone. */
export function folderWith(agent: Agent, reader: Reader, text: Reader): AgentFolder | undefined {
  const { files } = agent
  if (files !== undefined && !FOLDERS.has(agent)) FOLDERS.set(agent, sortOut(agent, files, reader, text))
  return FOLDERS.get(agent)
}

/** An agent with its files, or the reasons why it cannot be read. */
export interface LoadResult {
  readonly agent: Agent | undefined
  readonly folder: AgentFolder | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the files of an agent with these readers of YAML and of text. */
export function loadWith(reader: Reader, text: Reader, files: Files, file?: string): LoadResult {
  const opened = open(reader, files, { as: AGENT_READING.kind, ...(file !== undefined && { file }) })
  const { subject: agent, diagnostics } = subjectOf(AGENT_READING, opened)
  return { agent, folder: agent && folderWith(agent, reader, text), diagnostics }
}

function sortOut(agent: Agent, files: Files, reader: Reader, text: Reader): AgentFolder {
  const part = <Subject>(reading: Reading<Subject>, path: string, options: OpenOptions = {}): Part<Subject> => {
    const named = { ...options, as: reading.kind, file: fileNameOf(agent, path) }
    const parsed = open(reader, files.get(path)!, named, { text })
    return { path, parsed, subject: subjectOf(reading, parsed).subject }
  }
  const all = [...files.keys()].sort()
  const paths = new Set(all.filter((path) => path === AGENT_FILE || isPrompt(path) || isResource(path)))
  const { subAgents, missing, hasMore } = subAgentsOf(agent, all, (path) => part(AGENT_READING, path))
  for (const { path } of subAgents) paths.add(path)
  for (const named of namedFiles(agent)) {
    if (files.has(named.path)) paths.add(named.path)
    else missing.push(named)
  }
  if (files.has(UX_FILE)) paths.add(UX_FILE)
  return {
    files,
    prompts: all.filter(isPrompt).map((path) => part(PROMPT_READING, path)),
    subAgents,
    skills: all.filter(isSkill).map((path) => part(SKILL_READING, path)),
    ux: files.has(UX_FILE) ? part(UX_READING, UX_FILE) : undefined,
    lock: files.has(LOCK_FILE) ? part(LOCK_READING, LOCK_FILE, { format: 'yaml' }) : undefined,
    missing,
    hasMore,
    paths: all.filter((path) => paths.has(path)),
    leftOut: all.filter((path) => !paths.has(path) && path !== LOCK_FILE),
  }
}

/** The sub-agents that the agent or one of its sub-agents names, and those beside it if a model may choose. */
function subAgentsOf(agent: Agent, all: readonly string[], read: (path: string) => Part<Agent>) {
  const missing: MissingFile[] = []
  const found = new Map<string, Part<Agent>>()
  const known = new Set(all)
  let hasMore = false
  const add = (path: string) => {
    if (found.has(path) || path === AGENT_FILE) return
    if (found.size === MOST_SUB_AGENTS) hasMore = true
    else found.set(path, read(path))
  }
  const follow = (of: Agent, at: string) => {
    for (const row of of.staticAgents) {
      const named = textMember(row, 'path')
      if (named === undefined) continue
      const path = pathFrom(at, named.value)
      if (path !== undefined && known.has(path)) add(path)
      else missing.push({ of, pointer: named.pointer, path: named.value })
    }
  }
  follow(agent, AGENT_FILE)
  if (agent.dynamicDelegate !== undefined) for (const path of all) if (isBeside(path)) add(path)
  // A Map gives entries that are added while it is read.
  for (const { path, subject } of found.values()) if (subject !== undefined) follow(subject, path)
  return { subAgents: [...found.values()], missing, hasMore }
}

function namedFiles(agent: Agent): MissingFile[] {
  const map = agent.part('x-protocols')
  return Object.keys(map?.value ?? {}).flatMap((name) => {
    const named = textMember(map, name)
    if (named === undefined) return []
    return [{ of: agent, pointer: named.pointer, path: pathFrom(AGENT_FILE, named.value) ?? named.value }]
  })
}

/** The path that a file refers to; undefined outside the folder. */
export function pathFrom(file: string, reference: string): string | undefined {
  if (/^\/|\\|^[a-z]+:/i.test(reference)) return undefined
  const path = file.split('/').slice(0, -1)
  for (const name of reference.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') path.push(name)
    else if (path.pop() === undefined) return undefined
  }
  return path.join('/')
}

/** The sub-agents by name, each with its definition, and the prompt of that name next to it. */
export function subAgentParts({ subAgents, files, paths }: AgentFolder): Record<string, SubAgent> {
  const known = new Set(paths)
  const rows = subAgents.flatMap(({ path, subject }) => {
    if (subject === undefined) return []
    const own = [path, path.replace(/\.yaml$/, '-prompt.yaml')].filter((one) => known.has(one))
    const version = textMember(subject.root, 'version')?.value
    const [tools, mcp_servers] = [subject.get('tools'), subject.get('mcp_servers')]
    const parts = { tools, mcp_servers, files: new Map(own.map((one) => [one, files.get(one)!])) }
    return [[subject.name ?? path, version === undefined ? parts : { ...parts, version }] as const]
  })
  return Object.fromEntries(rows)
}

/** An agent as rules and verbs read it: only the members that are present and have the right type. */
export class Agent extends RootSubject {
  /** The files of its folder, unless the source was agent.yaml alone. */
  readonly files: Files | undefined = this.document.files

  get name(): string | undefined {
    return textMember(this.root, 'name')?.value
  }

  get(name: string): unknown {
    return member(this.root.value, name)
  }

  part(name: string): PlacedObject | undefined {
    return objectMember(this.root, name)
  }

  get tools(): readonly PlacedObject[] {
    return elements(this.root, 'tools', isObject)
  }

  /** The members of a mapping from names to objects, such as `http_tools`. */
  named(name: string): ReturnType<typeof objectsIn> {
    return objectsIn(this.part(name))
  }

  /** The tool `delegate`, if it lets a model choose sub-agents. */
  get dynamicDelegate(): PlacedObject | undefined {
    const tool = this.tools.find(({ value }) => member(value, 'name') === 'delegate')
    return member(objectMember(tool, 'config')?.value, 'mode') === 'static' ? undefined : tool
  }

  get staticAgents(): readonly PlacedObject[] {
    return elements(objectMember(this.root, 'delegate'), 'agents', isObject)
  }
}

export const AGENT_READING: Reading<Agent> = {
  kind: 'agentlang',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Agent(document),
}
