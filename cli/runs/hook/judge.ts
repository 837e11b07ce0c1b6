// Whether a call may go on: the recorder's own files are closed, the rest is up to the definition.

import { type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { FilesystemRequest } from '../../../bindings/policy/request.ts'
import type { GuardedDecision } from '../../../bindings/runs/record/decider.ts'
import { createVerdict } from '../../../bindings/runs/verdict/create.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isText, type JsonObject, valueAt } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import type { Tools } from '../../command.ts'
import { commandsIn, filesOf, isSearch, isShell, requestsOf, Unjudgeable, withoutLinks } from './requests.ts'
import type { CallAnswer, EventOptions } from './session.ts'

interface JudgeOptions {
  readonly document?: string | undefined
  /** The SHA-256 of the definition. */
  readonly pin?: string | undefined
  readonly key: readonly string[]
  readonly signer?: string | undefined
  readonly unjudged?: 'deny' | 'allow' | undefined
}

/** Judges calls by the definition, unless it is unreadable, changed or badly signed: then it permits nothing. */
export async function callJudge(options: JudgeOptions, folder: string, tools: Tools): Promise<EventOptions['judge']> {
  const { document, signer, unjudged } = options
  const decide =
    document === undefined ? undefined : await definitionOf(document, options, tools).catch((error: Error) => error)
  const [own, secret] = [
    [folder, document],
    [signer, ...options.key],
  ].map((names) => names.filter((name) => name !== undefined && !/^(?:env:|-$)/.test(name))) as [string[], string[]]
  const judge: EventOptions['judge'] = (tool, input, cwd) => {
    const files = filesOf(tool, input, cwd)
    const { reasonFor, reasonForLine } = protectionOf(cwd, own, secret)
    const lines = isShell(tool) ? commandsIn(input) : []
    const reason = [...files.map(reasonFor), ...lines.map(reasonForLine)].find((one) => one !== undefined)
    if (reason !== undefined) return denial(reason, { tool, input })
    if (decide === undefined) return undefined
    if (decide instanceof Error) return denial(`the definition permits nothing: ${decide.message}`, { tool, input })
    if (Object.hasOwn(WITHOUT_EFFECT, tool)) return undefined
    const hidden = isSearch(tool) ? files.map(({ path }) => decide.deniedWithin(path)).find(isText) : undefined
    if (hidden !== undefined)
      return denial(`the search can reach ${hidden} of denied_paths: search a narrower folder`, { tool, input })
    const answers = requestsOf(tool, input, files).map((request) => ({ request, ...decide.answer(request) }))
    if (answers.length === 0) {
      const hint = 'a hook with --unjudged allow lets such calls go on'
      return unjudged === 'allow' ? undefined : denial(`a definition cannot judge ${tool}; ${hint}`, { tool, input })
    }
    const worst =
      answers.find(({ decision }) => decision.outcome === 'deny') ??
      answers.find(({ decision }) => decision.outcome === 'escalate') ??
      answers[0]!
    const verdicts = answers.map(({ verdict, request }) => [verdict, request] as const)
    return { decision: worst.decision.outcome, reason: reasonOf(worst.decision), verdicts }
  }
  return (tool, input, cwd) => {
    try {
      return judge(tool, input, cwd)
    } catch (error) {
      if (error instanceof Unjudgeable) return denial(error.message, { tool, input })
      throw error
    }
  }
}

const reasonOf = ({ reason, decidedBy }: GuardedDecision) =>
  decidedBy === undefined ? reason : `${reason} (${decidedBy})`

function denial(reason: string, request: unknown): CallAnswer {
  const verdict = createVerdict({ decision: 'deny', reasoning: reason, confidence: 1, metadata: { engine: 'blazon' } })
  return { decision: 'deny', reason, verdicts: [[verdict, request]] }
}

async function definitionOf(name: string, { pin, key }: JudgeOptions, tools: Tools) {
  // The rules of definitions take time to load, so events without a definition go without them.
  const [{ decider }, { openPlain }, { verifier }] = await Promise.all([
    import('../../../bindings/runs/record/decider.ts'),
    import('../../open.ts'),
    import('../../proof.ts'),
  ])
  const { bytes, file } = await tools.reader.bytes(name)
  if (pin !== undefined && pin !== toHex(sha256(bytes)))
    throw new Error(`${file} was changed since the hook was installed`)
  const { document, diagnostics } = await openPlain(bytes, { as: 'adl', file })
  if (document === undefined) throw new Error(`${file}: ${diagnostics[0]!.detail}`)
  const proof = await (await verifier(key, false, tools))(document)
  const caseInsensitive = process.platform === 'darwin'
  const { decide } = decider(
    { document, diagnostics },
    { proof, windows: process.platform === 'win32', caseInsensitive },
  )
  const answer = (
    request: Parameters<typeof decide>[0],
  ): { readonly decision: GuardedDecision; readonly verdict: JsonObject } => {
    const { decision, verdict } = decide(request)
    const [duty] = decision.obligations
    if (duty === undefined) return { decision, verdict }
    // A hook cannot do what the decision depends on, so a person decides.
    const reason = `${decision.reason}, but ${duty} is left to do`
    return {
      decision: { ...decision, outcome: 'escalate', reason },
      verdict: { ...verdict, decision: 'escalate', approved: false, reasoning: reason },
    }
  }
  const denied = [valueAt(document.value, '/permissions/filesystem/denied_paths')].flat().filter(isText)
  return { answer, deniedWithin: (folder: string) => denied.find((pattern) => mayMatchWithin(pattern, folder)) }
}

/** True unless no path in a folder can match a pattern. */
function mayMatchWithin(pattern: string, folder: string): boolean {
  const wildcard = pattern.search(/[*?[{]/)
  const start = wildcard === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1) || '/'
  return isBelow(start, folder) || (wildcard !== -1 && isBelow(folder, start))
}

// The files that decide what an agent may do: the recorder's own, its keys, and the settings of the runners.

const MOST_PARENTS = 100

/** Names that a runner obeys in whatever folder: a session may begin in each of them. */
const SETTINGS_NAME =
  /(?:^|[\\/])(?:\.(?:claude|gemini)$|(?:\.codex|\.claude[\\/](?:settings[^\\/]*\.json|hooks|plugins)|\.gemini[\\/](?:settings\.json|trustedFolders\.json|hooks|extensions|policies)|\.mcp\.json|\.claude\.json|managed-settings\.json)(?=[\\/]|$))/i
const SETTINGS_IN_LINE =
  /\.codex(?![\w-])|\.claude\/(?:settings[^/\s]*\.json|hooks|plugins)|\.gemini\/(?:settings\.json|trustedFolders\.json|hooks|extensions|policies)|\.(?:mcp|claude)\.json|managed-settings\.json|\.blazon\/runs/i
const SETTINGS = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.gemini/settings.json',
  '.codex',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.mcp.json',
  '.claude.json',
]

export interface Protection {
  /** Why an agent must not touch a file; undefined if it may. */
  readonly reasonFor: (file: FilesystemRequest) => string | undefined
  /** The same for a shell line that names such a file. A line can also reach it without its name. */
  readonly reasonForLine: (line: string) => string | undefined
}

/** `own` are the folder and the files of the recorder, `secret` its keys. Links are resolved once for a call. */
function protectionOf(cwd: string, own: readonly string[], secret: readonly string[]): Protection {
  if (cwd.split(/[\\/]/).length > MOST_PARENTS) throw new Unjudgeable('the current folder is too deep')
  const folders = new Set(
    [
      cwd,
      process.env['CLAUDE_PROJECT_DIR'],
      process.env['GEMINI_PROJECT_DIR'],
      process.env['CODEX_HOME'],
      homedir(),
    ].flatMap((folder) => (folder === undefined ? [] : withParents(resolve(folder)))),
  )
  const settings = [...folders].flatMap((folder) => SETTINGS.map((name) => join(folder, name)))
  const keys = secret.map((path) => withoutLinks(resolve(path)))
  const places = new Set([...own, ...settings].map((path) => withoutLinks(resolve(path))))
  for (const key of keys) places.add(key)
  const runs = withoutLinks(resolve(own[0]!))
  const inodes = new Map<string, string>()
  for (const place of places) {
    const stats = statsOf(place)
    if (stats !== undefined) inodes.set(idOf(stats), place)
  }
  return {
    reasonFor({ path, access }) {
      const bare = path.replace(/(?<=.)[\\/]$/, '')
      const stats = statsOf(bare)
      const place =
        (stats && inodes.get(idOf(stats))) ??
        [...places].find((one) => isBelow(bare, one)) ??
        (SETTINGS_NAME.test(bare) ? bare : undefined)
      if (place !== undefined) return `${place} belongs to the recorder`
      // A search reads everything below its folder, and a move or a deletion takes it along.
      if (keys.some((key) => isBelow(key, bare))) return `${bare} contains a key of the recorder`
      if (access !== 'read' && isBelow(runs, bare)) return `${bare} contains the runs of the recorder`
      return undefined
    },
    reasonForLine(line) {
      const plain = line.replaceAll(/\\\n|[\\'"]/g, '').replaceAll(/\/[/.]*\//g, '/')
      const named =
        SETTINGS_IN_LINE.exec(plain)?.[0] ?? secret.map((key) => basename(key)).find((name) => plain.includes(name))
      return named === undefined ? undefined : `${named} belongs to the recorder`
    },
  }
}

/** A path and each folder above it. */
function withParents(path: string): string[] {
  const parents = [path]
  for (let next = dirname(path); next !== parents.at(-1); next = dirname(next)) parents.push(next)
  return parents
}

const idOf = ({ dev, ino }: Stats) => `${dev}:${ino}`

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Ignores case everywhere: a folder of Linux can be mounted without it. */
const foldCase = (path: string) => `${path.toLowerCase().replaceAll('\\', '/')}/`.replace('//', '/')

/** Both paths are absolute and have no `..`. */
export const isBelow = (path: string, folder: string): boolean =>
  foldCase(path.replace(/[\\/]$/, '')).startsWith(foldCase(folder.replace(/[\\/]$/, '')))

/** Tools of the runners without an effect outside the session, each with the reason. They need no permission. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  TodoWrite: 'keeps a list inside the session',
  TodoRead: 'reads the list of the session',
  TaskCreate: 'keeps a list inside the session',
  TaskGet: 'reads the list of the session',
  TaskList: 'reads the list of the session',
  TaskUpdate: 'keeps a list inside the session',
  write_todos: 'keeps a list inside the session',
  update_topic: 'names what the session is about',
  update_plan: 'keeps a plan inside the session',
  Task: 'begins a sub-agent, whose calls are judged',
  Agent: 'begins a sub-agent, whose calls are judged',
  AskUserQuestion: 'asks the user',
  ask_user: 'asks the user',
  request_user_input: 'asks the user',
  EnterPlanMode: 'changes to planning, which permits less',
  ExitPlanMode: 'asks the user to accept a plan',
  enter_plan_mode: 'changes to planning, which permits less',
  exit_plan_mode: 'asks the user to accept a plan',
  activate_skill: 'loads instructions, whose calls are judged',
  get_internal_docs: 'reads the documentation of the runner',
  Skill: 'loads instructions, whose calls are judged',
  ToolSearch: 'loads descriptions of tools, whose calls are judged',
  BashOutput: 'reads the output of a shell that was judged when it began',
  TaskOutput: 'reads the output of a task that was judged when it began',
  KillShell: 'ends a shell of the session',
  KillBash: 'ends a shell of the session',
  TaskStop: 'ends a task of the session',
}
