// What Claude Code does with a call, by one settings file: deny, then ask, then allow, then its mode.
// https://code.claude.com/docs/en/permissions
import { normalizeHost } from '../policy/host.ts'
import type { Answer } from '../policy/matrix.ts'
import { absolute, type Places } from '../policy/path.ts'
import { checkRequest, narrower, type PermissionRequest, wider } from '../policy/request.ts'
import { elements, isText, objectMember, type PlacedObject, textMember } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { FREE_TOOLS, UNMATCHED } from './names.ts'
import { MOST_PARTS, matchesPath } from './path-pattern.ts'
import {
  LISTS,
  matchesCommand,
  matchesDomain,
  namesTool,
  type PermissionRule,
  type Rules,
  readRules,
} from './permission-rule.ts'
import { bluntParts, splitLine, startsOther, unmoved, unwrap, unwrapLoosely } from './shell-line.ts'

/** The most comparisons of characters for one request: a second of work. */
const MOST_WORK = 300_000_000
const TOO_MUCH = Symbol('too much')
/** A comparison of paths costs as much as one of this many characters more. */
const FOR_PATH = 256
const LONGEST = 32_767

/** Commands that run without a question, and others whose files Claude Code compares with rules. */
const READERS = /^(?:ls|cat|head|tail|grep|find|wc|diff|stat|du|cd)$/
const SAYERS = /^(?:echo|pwd|which)$/
const FILE_COMMANDS = /^(?:ls|cat|head|tail|grep|find|wc|diff|stat|du|cd|sed)$/
const EDITING_COMMANDS = /^(?:mkdir|touch|mv|cp)$/
/** Folders that are not edited without a question in mode acceptEdits. */
const PROTECTED =
  /\/(?:\.git|\.config\/git|\.claude|\.vscode|\.idea|\.husky|\.cargo|\.devcontainer|\.yarn|\.mvn)(?:\/|$)/

type Matches = (rule: PermissionRule) => boolean

/** The policy of one settings file. Rules of other files and hooks may deny more, and other files may allow more. */
export class SettingsPolicy {
  readonly rules: Rules
  readonly #places: Places
  readonly #mode: string
  readonly #modePointer: string | undefined
  readonly #folders: readonly string[]
  /** True when some files are denied or asked for. */
  readonly #hasPathStops: boolean
  #work = 0

  constructor(root: PlacedObject, places: Places) {
    const permissions = objectMember(root, 'permissions')
    const mode = textMember(permissions, 'defaultMode')
    this.rules = readRules(root)
    this.#hasPathStops = [...this.rules.deny, ...this.rules.ask].some(
      ({ tool, specifier }) => /^(?:Read|Edit)$/.test(tool) && specifier !== undefined,
    )
    this.#places = places
    this.#mode = mode?.value ?? 'default'
    this.#modePointer = mode?.pointer
    const more = elements(permissions, 'additionalDirectories', isText).map(({ value }) => value)
    this.#folders = ['.', ...more].map((folder) => absolute(folder, places).replace(/\/$/, ''))
  }

  /** @throws {TypeError} or {RangeError} for an invalid request. */
  decide(request: PermissionRequest): Answer {
    checkRequest(request)
    this.#work = 0
    try {
      return this.#decide(request)
    } catch (error) {
      if (error !== TOO_MUCH) throw error
      return deny('the request takes too long to compare')
    }
  }

  /** Counts comparisons of characters. */
  #spend(characters: number): void {
    this.#work += characters
    if (this.#work > MOST_WORK) throw TOO_MUCH
  }

  #decide(request: PermissionRequest): Answer {
    switch (request.domain) {
      case 'execution':
        return this.#line([request.command, request.args].filter(Boolean).join(' '))
      case 'filesystem': {
        const { path, access } = request
        if (path.includes('\0')) return deny('the path has a NUL character')
        const reading = access === 'write' ? [] : [this.#read(path)]
        return [...reading, ...(access === 'read' ? [] : [this.#edit(path)])].reduce(narrower)
      }
      case 'network': {
        const protocol = request.protocol?.toLowerCase().replace(/:$/, '') ?? 'https'
        if (!/^https?$/.test(protocol)) return deny(`WebFetch does not speak ${quoted(protocol)}`)
        const host = normalizeHost(request.host)
        if (host === undefined) return deny(`${quoted(request.host)} is neither a host name nor an address`)
        const fetches: Matches = ({ tool, specifier }) =>
          tool === 'WebFetch' && specifier !== undefined && matchesDomain(specifier, host)
        return this.#judge('WebFetch', fetches) ?? this.#byMode(`WebFetch of ${quoted(request.host)}`)
      }
      case 'tool':
        return this.#tool(request.name)
      default:
        return deny(`the settings do not limit this: ${request.domain}`)
    }
  }

  /** The first list with a rule for the tool; undefined without one. */
  #judge(tool: string, matches: Matches, lists: readonly (keyof Rules)[] = LISTS): Answer | undefined {
    for (const list of lists) {
      const rule = this.rules[list].find((one) => (one.specifier === undefined && namesTool(one, tool)) || matches(one))
      if (rule !== undefined)
        return { outcome: list, reason: `${cut(rule.text, 200)} matches`, decidedBy: rule.pointer }
    }
    return undefined
  }

  /** What happens to a call that no rule matches. */
  #byMode(what: string): Answer {
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
    return ({ specifier, list, ...rule }) => {
      if (specifier === undefined) return false
      this.#spend(specifier.length * path.length + FOR_PATH)
      return (
        (rule.tool === tool || (tool === 'Read' && list === 'allow' && rule.tool === 'Edit')) &&
        !(list === 'allow' && (/[[!]/.test(specifier) || specifier.split('/').length > MOST_PARTS)) &&
        matchesPath(specifier, path, this.#places)
      )
    }
  }

  #read(given: string, places = this.#places): Answer {
    const path = absolute(given, places)
    const found = this.#judge('Read', this.#pathRule('Read', path))
    if (found !== undefined || !this.#isInside(path)) return found ?? this.#byMode(`reading ${quoted(path)}`)
    return allow(`${quoted(path)} is in a folder of the session, which is read without a question`)
  }

  /** A file may be edited with several tools: the widest answer counts. */
  #edit(given: string, places = this.#places): Answer {
    const path = absolute(given, places)
    const matches = this.#pathRule('Edit', path)
    return ['Edit', 'Write'].map((tool) => this.#judge(tool, matches) ?? this.#editByMode(path)).reduce(wider)
  }

  #editByMode(path: string): Answer {
    const what = `editing ${quoted(path)}`
    if (this.#mode === 'plan') return { ...this.#byMode(what), outcome: 'deny' }
    if (this.#mode !== 'acceptEdits' || !this.#isInside(path) || PROTECTED.test(path)) return this.#byMode(what)
    return { ...this.#byMode(what), outcome: 'allow' }
  }

  #tool(name: string): Answer {
    const found = this.#judge(name, () => false)
    if (found !== undefined) return found
    if (!FREE_TOOLS.includes(name)) return this.#byMode(`the tool ${quoted(name)}`)
    return allow(`${name} runs without a question`)
  }

  /** Every command of a line must be allowed; one that is denied denies the line. */
  #line(line: string): Answer {
    if (line.trim() === '' || line.length > LONGEST) return deny('the line is empty, or too long to compare')
    this.#spend(LISTS.reduce((sum, list) => sum + this.rules[list].length, 0) * line.length)
    const { commands, bare, reads, writes, isPlain } = splitLine(line)
    const places = this.#placesAfter(bare)
    const known = places ?? [this.#places]
    const forms = [...new Set([...commands, ...bare].flatMap((one) => [one, ...unwrapLoosely(one)]))]
    const strict = this.#strict(forms.map(unmoved))
    const files = forms.flatMap((form) => this.#deniedFiles(form, known))
    const inputs = reads.flatMap((path) => this.#deniedFile(path, known))
    const targets = writes.map(
      (path) => places?.map((one) => this.#edit(path, one)).reduce(narrower) ?? this.#unknown(),
    )
    const first = [...strict.slice(0, 1), ...files, ...inputs, ...targets].reduce<Answer | undefined>(
      (a, b) => (a === undefined ? b : narrower(a, b)),
      undefined,
    )
    if (first !== undefined && first.outcome !== 'allow') return first
    if (!isPlain) return this.#hidden(line)
    const all = commands.map((command) => this.#command(command, places))
    return all.reduce(narrower, all[0] ?? this.#byMode('the line'))
  }

  /** The denials and questions for commands. */
  #strict(forms: readonly string[]): Answer[] {
    this.#spend(forms.reduce((sum, form) => sum + form.length, 0) * (this.rules.deny.length + this.rules.ask.length))
    return (['deny', 'ask'] as const).flatMap((list) => this.#judge('Bash', matchesAny(forms), [list]) ?? [])
  }

  /** A line whose commands are not all in sight: only a grant of all lines covers it, unless it names a denied one. */
  #hidden(line: string): Answer {
    const unseen = this.#byMode('a line that does not show everything that it runs')
    const parts = bluntParts(line).flatMap((part) => [part, ...unwrapLoosely(part)])
    if (this.#strict(parts).length > 0) return narrower(unseen, { ...unseen, outcome: 'ask' })
    return this.#judge('Bash', () => false, ['allow']) ?? unseen
  }

  #unknown(): Answer {
    const unseen = this.#byMode('a file in a folder that the line does not name')
    return narrower(unseen, { ...unseen, outcome: 'ask' })
  }

  /** The folders that commands of a line may run in; undefined when one is not known. */
  #placesAfter(commands: readonly string[]): readonly Places[] | undefined {
    let found: readonly Places[] = [this.#places]
    for (const command of commands.flatMap(unwrapLoosely)) {
      const [name = '', ...words] = command.split(' ')
      if (!/^(?:cd|pushd|popd|chdir)$/.test(name)) continue
      const folder = words.find((word) => word === '-' || !/^[-+]/.test(word)) ?? '~'
      if (name === 'popd' || !/^(?:~|(?:~\/)?[\w./+@,:-]*)$/.test(folder) || folder === '-') return undefined
      const more = found.map((places) => ({ ...places, cwd: absolute(folder, places).replace(/(?<=.)\/$/, '') }))
      found = [...new Map([...found, ...more].map((places) => [places.cwd, places])).values()]
      if (found.length > MOST_FOLDERS) return undefined
    }
    return found
  }

  /** A command that nothing denies. */
  #command(command: string, places: readonly Places[] | undefined): Answer {
    const matches: Matches = startsOther(command) ? (rule) => rule.specifier === command : matchesAny([unwrap(command)])
    const found = this.#judge('Bash', matches, ['allow'])
    return found ?? this.#builtIn(command, places) ?? this.#byMode(quoted(cut(command, 200)))
  }

  /** The denials of files that a command names, if Claude Code knows it to read files. */
  #deniedFiles(command: string, places: readonly Places[]): Answer[] {
    const [name, ...words] = command.split(/\s+/)
    const program = name!.split('/').at(-1)!
    // Its input names more files, to whatever it starts.
    const isFed = program === 'xargs'
    if (!isFed && !FILE_COMMANDS.test(program)) return []
    const isOpen = isFed || words.some((word) => /[*?[{]/.test(word.replaceAll(/'[^']*'|"[^"]*"|\\./g, '')))
    const found = filesIn(words)
      .slice(0, MOST_FILES)
      .flatMap((word) => this.#deniedFile(unmoved(word), places))
    return isOpen && this.#hasPathStops ? [...found, this.#unknown()] : found
  }

  #deniedFile = (given: string, places: readonly Places[]): Answer[] =>
    places.flatMap((one) => {
      const path = absolute(given.replaceAll(/['"]/g, ''), one)
      return this.#judge('Read', this.#pathRule('Read', path), ['deny']) ?? []
    })

  /** Commands that Claude Code runs by itself: they only read, or the mode accepts what they edit. */
  #builtIn(command: string, places: readonly Places[] | undefined): Answer | undefined {
    if (/[*?[\]{}~'"\\#]/.test(command) || startsOther(command)) return undefined
    const [name, ...words] = command.split(/\s+/)
    const files = filesIn(words)
    // A copy may be a file in the last folder.
    const into = name === 'cp' ? files.map((file) => `${files.at(-1)}/${file.split('/').at(-1)}`) : []
    const paths = [...files, ...into]
    if (paths.length > MOST_FILES || (name === 'find' && words.some((word) => /^-f(?:print|ls)/.test(word))))
      return undefined
    if (isDeep(name!, words) && this.#hasPathStops) return undefined
    const free = allow(`${name} only reads, and runs without a question`)
    if (SAYERS.test(name!)) return free
    if (places === undefined) return undefined
    const each = (judge: (path: string, one: Places) => Answer) =>
      paths.flatMap((path) => places.map((one) => judge(path, one)))
    if (READERS.test(name!)) return each((path, one) => this.#read(path, one)).reduce(narrower, free)
    if (this.#mode !== 'acceptEdits' || !EDITING_COMMANDS.test(name!)) return undefined
    return each((path, one) => this.#edit(path, one)).reduce(narrower, allow(`the mode acceptEdits accepts ${name}`))
  }
}

const matchesAny =
  (forms: readonly string[]): Matches =>
  ({ tool, specifier }) =>
    tool === 'Bash' && specifier !== undefined && forms.some((form) => matchesCommand(specifier, form))

/** The words of a command that may name files, also in options: `--from=FILE`, `-fFILE`, and `-afFILE`. */
const filesIn = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => {
    if (!word.startsWith('-')) return word
    if (word.startsWith('--')) return word.includes('=') ? word.slice(word.indexOf('=') + 1) : []
    const letters = /^-[A-Za-z]{0,8}/.exec(word)![0].length
    return Array.from({ length: letters }, (_, i) => word.slice(i + 1)).filter((value, i) => i > 0 && value !== '')
  })

/** Options with which a command reads or copies what is below a folder, or names the folder that it writes to. */
const DEEP: Readonly<Record<string, RegExp>> = {
  cp: /^-(?:[A-Za-z]*[Rart]|-[art])/,
  grep: /^-(?:[A-Za-z]*[Rdr]|-[dr])/,
  diff: /^-(?:[A-Za-z]*r|-r)/,
}
const isDeep = (name: string, words: readonly string[]): boolean =>
  name === 'mv' || (Object.hasOwn(DEEP, name) && words.some((word) => DEEP[name]!.test(word)))

/** More files in one command are asked for. */
const MOST_FILES = 100
const MOST_FOLDERS = 16

const deny = (reason: string): Answer => ({ outcome: 'deny', reason, decidedBy: undefined })
const allow = (reason: string): Answer => ({ outcome: 'allow', reason, decidedBy: undefined })

/** True for a rule with a path that Claude Code never compares. */
export const isUnmatched = ({ tool, specifier }: PermissionRule): boolean =>
  specifier !== undefined && Object.hasOwn(UNMATCHED, tool)
