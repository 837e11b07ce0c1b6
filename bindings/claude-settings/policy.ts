// What Claude Code does with a call, by one settings file: deny, then ask, then allow, then its mode.
// https://code.claude.com/docs/en/permissions
import type { Document } from '../document/parse.ts'
import { checkRequest, type PermissionRequest } from '../policy/request.ts'
import { elements, isText, objectMember, type PlacedObject, textMember } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { FREE_TOOLS, UNMATCHED } from './names.ts'
import { absolute, MOST_PARTS, matchesPath, type Places } from './path-pattern.ts'
import {
  LISTS,
  matchesCommand,
  matchesDomain,
  namesTool,
  type PermissionRule,
  type Rules,
  readRules,
} from './permission-rule.ts'
import { splitLine, startsOther, unwrap } from './shell-line.ts'
import { SettingsSubject } from './subject.ts'

/** The outcomes from the narrowest to the widest. */
export const OUTCOMES = ['deny', 'ask', 'allow'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface SettingsDecision {
  readonly outcome: Outcome
  /** The deciding reason, in one sentence. */
  readonly reason: string
  /** The rule or member that decided; undefined if none did. */
  readonly decidedBy: string | undefined
}

/** The most comparisons of characters for one request: a second of work. */
const MOST_WORK = 300_000_000
const LONGEST = 32_767

/** Commands that run without a question, and others whose files Claude Code compares with rules. */
const READERS = /^(?:ls|cat|head|tail|grep|find|wc|diff|stat|du|cd)$/
const SAYERS = /^(?:echo|pwd|which)$/
const FILE_COMMANDS = /^(?:ls|cat|head|tail|grep|find|wc|diff|stat|du|cd|sed)$/
const EDITING_COMMANDS = /^(?:mkdir|touch|mv|cp)$/
/** Folders that are not edited without a question in mode acceptEdits. */
const PROTECTED =
  /\/(?:\.git|\.config\/git|\.claude|\.vscode|\.idea|\.husky|\.cargo|\.devcontainer|\.yarn|\.mvn)(?:\/|$)/

const rank = ({ outcome }: SettingsDecision) => OUTCOMES.indexOf(outcome)
const narrower = (a: SettingsDecision, b: SettingsDecision) => (rank(b) < rank(a) ? b : a)
const wider = (a: SettingsDecision, b: SettingsDecision) => (rank(b) > rank(a) ? b : a)

type Matches = (rule: PermissionRule) => boolean

/** The policy of one settings file. Rules of other files and hooks may deny more, and other files may allow more. */
export class SettingsPolicy {
  readonly rules: Rules
  readonly #places: Places
  readonly #mode: string
  readonly #modePointer: string | undefined
  readonly #folders: readonly string[]

  constructor(root: PlacedObject, places: Places) {
    const permissions = objectMember(root, 'permissions')
    const mode = textMember(permissions, 'defaultMode')
    this.rules = readRules(root)
    this.#places = places
    this.#mode = mode?.value ?? 'default'
    this.#modePointer = mode?.pointer
    const more = elements(permissions, 'additionalDirectories', isText).map(({ value }) => value)
    this.#folders = ['.', ...more].map((folder) => absolute(folder, places).replace(/\/$/, ''))
  }

  /** @throws {TypeError} or {RangeError} for an invalid request. */
  decide(request: PermissionRequest): SettingsDecision {
    checkRequest(request)
    switch (request.domain) {
      case 'execution':
        return this.#line([request.command, request.args].filter(Boolean).join(' '))
      case 'filesystem': {
        const { path, access } = request
        const reading = access === 'write' ? [] : [this.#read(path)]
        return [...reading, ...(access === 'read' ? [] : [this.#edit(path)])].reduce(narrower)
      }
      case 'network': {
        const protocol = request.protocol?.toLowerCase().replace(/:$/, '') ?? 'https'
        if (!/^https?$/.test(protocol)) return deny(`WebFetch does not speak ${quoted(protocol)}`)
        const fetches: Matches = ({ tool, specifier }) =>
          tool === 'WebFetch' && specifier !== undefined && matchesDomain(specifier, request.host)
        return this.#judge('WebFetch', fetches) ?? this.#byMode(`WebFetch of ${quoted(request.host)}`)
      }
      case 'tool':
        return this.#tool(request.name)
      default:
        return deny(`the settings do not limit this: ${request.domain}`)
    }
  }

  /** The first list with a rule for the tool; undefined without one. */
  #judge(tool: string, matches: Matches, lists: readonly (keyof Rules)[] = LISTS): SettingsDecision | undefined {
    for (const list of lists) {
      const rule = this.rules[list].find((one) => (one.specifier === undefined && namesTool(one, tool)) || matches(one))
      if (rule !== undefined)
        return { outcome: list, reason: `${cut(rule.text, 200)} matches`, decidedBy: rule.pointer }
    }
    return undefined
  }

  /** What happens to a call that no rule matches. */
  #byMode(what: string): SettingsDecision {
    const decidedBy = this.#modePointer
    const reason = `no rule matches ${what}, and the mode is ${cut(this.#mode, 40)}`
    if (this.#mode === 'bypassPermissions') return { outcome: 'allow', reason, decidedBy }
    return { outcome: this.#mode === 'dontAsk' ? 'deny' : 'ask', reason, decidedBy }
  }

  #isInside(path: string): boolean {
    return this.#folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  }

  /** Only rules of Read and Edit have paths that are compared. A grant to edit is one to read. */
  #pathRule(tool: 'Read' | 'Edit', path: string): Matches {
    return (rule) =>
      rule.specifier !== undefined &&
      (rule.tool === tool || (tool === 'Read' && rule.list === 'allow' && rule.tool === 'Edit')) &&
      !(rule.list === 'allow' && (/[[!]/.test(rule.specifier) || rule.specifier.split('/').length > MOST_PARTS)) &&
      matchesPath(rule.specifier, path, this.#places)
  }

  #read(given: string): SettingsDecision {
    const path = absolute(given, this.#places)
    const found = this.#judge('Read', this.#pathRule('Read', path))
    if (found !== undefined || !this.#isInside(path)) return found ?? this.#byMode(`reading ${quoted(path)}`)
    return allow(`${quoted(path)} is in a folder of the session, which is read without a question`)
  }

  /** A file may be edited with several tools: the widest answer counts. */
  #edit(given: string): SettingsDecision {
    const path = absolute(given, this.#places)
    const matches = this.#pathRule('Edit', path)
    return ['Edit', 'Write'].map((tool) => this.#judge(tool, matches) ?? this.#editByMode(path)).reduce(wider)
  }

  #editByMode(path: string): SettingsDecision {
    const what = `editing ${quoted(path)}`
    if (this.#mode === 'plan') return { ...this.#byMode(what), outcome: 'deny' }
    if (this.#mode !== 'acceptEdits' || !this.#isInside(path) || PROTECTED.test(path)) return this.#byMode(what)
    return { ...this.#byMode(what), outcome: 'allow' }
  }

  #tool(name: string): SettingsDecision {
    const found = this.#judge(name, () => false)
    if (found !== undefined) return found
    if (!FREE_TOOLS.includes(name)) return this.#byMode(`the tool ${quoted(name)}`)
    return allow(`${name} runs without a question`)
  }

  /** Every command of a line must be allowed; one that is denied denies the line. */
  #line(line: string): SettingsDecision {
    const rules = LISTS.reduce((sum, list) => sum + this.rules[list].length, 0)
    if (line.trim() === '' || line.length > LONGEST || rules * line.length > MOST_WORK)
      return deny('the line is empty, or too long to compare')
    const { commands, writes, isPlain } = splitLine(line)
    const matches = (forms: readonly string[]): Matches => {
      return ({ tool, specifier }) =>
        tool === 'Bash' && specifier !== undefined && forms.some((form) => matchesCommand(specifier, form))
    }
    const forms = [...new Set(commands.flatMap((one) => [one, unwrap(one, true)]))]
    const strict = (['deny', 'ask'] as const).flatMap((list) => this.#judge('Bash', matches(forms), [list]) ?? [])
    const files = forms.flatMap((form) => this.#deniedFiles(form))
    const targets = writes.map((path) => this.#edit(path))
    const first = [...strict.slice(0, 1), ...files, ...targets].reduce<SettingsDecision | undefined>(
      (a, b) => (a === undefined ? b : narrower(a, b)),
      undefined,
    )
    if (first !== undefined && first.outcome !== 'allow') return first
    const grant = (command: string) => this.#command(command, matches([unwrap(command, false)]))
    const all = isPlain ? commands.map(grant) : [this.#judge('Bash', () => false, ['allow']) ?? this.#hidden()]
    return all.reduce(narrower, all[0] ?? this.#byMode('the line'))
  }

  #hidden = (): SettingsDecision => this.#byMode('a line that does not show everything that it runs')

  /** A command that nothing denies. */
  #command(command: string, matches: Matches): SettingsDecision {
    const isExact: Matches = (rule) => rule.specifier === command
    const found = this.#judge('Bash', startsOther(command) ? isExact : matches, ['allow'])
    return found ?? this.#builtIn(command) ?? this.#byMode(quoted(cut(command, 200)))
  }

  /** The denials of files that a command names, if Claude Code knows it to read files. */
  #deniedFiles(command: string): SettingsDecision[] {
    const [name, ...words] = command.split(/\s+/)
    if (!FILE_COMMANDS.test(name!)) return []
    const paths = words.filter((word) => word !== '' && !word.startsWith('-')).slice(0, MOST_FILES)
    return paths.flatMap((word) => {
      const path = absolute(word.replaceAll(/['"]/g, ''), this.#places)
      return this.#judge('Read', this.#pathRule('Read', path), ['deny']) ?? []
    })
  }

  /** Commands that Claude Code runs by itself: they only read, or the mode accepts what they edit. */
  #builtIn(command: string): SettingsDecision | undefined {
    if (/[*?[\]{}~'"\\#]/.test(command) || startsOther(command)) return undefined
    const [name, ...words] = command.split(/\s+/)
    const paths = words.filter((word) => !word.startsWith('-'))
    if (paths.length > MOST_FILES || (name === 'find' && words.some((word) => /^-f(?:print|ls)/.test(word))))
      return undefined
    const free = allow(`${name} only reads, and runs without a question`)
    if (SAYERS.test(name!)) return free
    if (READERS.test(name!)) return paths.map((path) => this.#read(path)).reduce(narrower, free)
    if (this.#mode !== 'acceptEdits' || !EDITING_COMMANDS.test(name!)) return undefined
    return paths.map((path) => this.#edit(path)).reduce(narrower, allow(`the mode acceptEdits accepts ${name}`))
  }
}

/** More files in one command are asked for. */
const MOST_FILES = 100

const deny = (reason: string): SettingsDecision => ({ outcome: 'deny', reason, decidedBy: undefined })
const allow = (reason: string): SettingsDecision => ({ outcome: 'allow', reason, decidedBy: undefined })

/** True for a rule with a path that Claude Code never compares. */
export const isUnmatched = ({ tool, specifier }: PermissionRule): boolean =>
  specifier !== undefined && Object.hasOwn(UNMATCHED, tool)

/**
 * Decides what Claude Code does with a request, by one settings file.
 *
 * @throws {TypeError} or {RangeError} for an invalid request or a document that is not an object.
 */
export function decideBySettings(document: Document, request: PermissionRequest, places: Places): SettingsDecision {
  return new SettingsPolicy(new SettingsSubject(document).root, places).decide(request)
}
