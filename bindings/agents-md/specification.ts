// AGENTS.md (agents.md) as a specification of the frame. It judges what a program can know: size, links, secrets, and
// commands of the repository. How an author writes is no matter of rules.
import { type Document, parse } from '../document/parse.ts'
import type { Files } from '../document/types.ts'
import type { Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { type Report, RootSubject, type Rule, rule } from '../frame/subject.ts'
import { isObject, isText, member } from '../text/members.ts'
import { REVOKE_SECRET, secretIn } from '../text/secret-shapes.ts'
import { orMeant, quoted, suggest } from '../text/words.ts'
import * as FINDINGS from './findings.ts'

/** The default of Codex for `project_doc_max_bytes`. */
const MOST_BYTES = 32 << 10
/** The most links that are looked up. */
const MOST_LINKS = 1000

/** A word of the text, and the line that has it. */
interface Place {
  readonly text: string
  readonly line: number
}

const PACKAGE = 'package.json'
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Files of packages in one repository, whose scripts are elsewhere. */
const WORKSPACES = ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'rush.json']
const FENCE = /^\s*(?:>\s*)?(```|~~~)/
const LINK = /\]\(\s*<?([^\s()<>]+)>?(?:\s+"[^"]*")?\s*\)/g
const CODE = /`([^`]+)`/g
const RUN = /^\s*(?:\$\s+)?(?:npm|pnpm|yarn|bun)\s+run\s+([\w:.-]+)(?=$|[\s;&|)])/
const MAKE = /^\s*(?:\$\s+)?make\s+([A-Za-z][\w.-]*)(?=$|[\s;&|)])/

/** A text as its rules read it. */
class AgentsMd extends RootSubject {
  /** The files that it mentions and that exist; undefined where nobody looked. */
  readonly files: Files | undefined = this.document.files
  readonly links: readonly Place[]
  readonly commands: readonly Place[]

  constructor(document: Document) {
    super(document)
    const links: Place[] = []
    const commands: Place[] = []
    let isCode = false
    for (const [line, text] of this.lines.entries()) {
      if (FENCE.test(text)) isCode = !isCode
      else if (isCode) commands.push({ text, line })
      else {
        for (const [, code] of text.matchAll(CODE)) commands.push({ text: code!, line })
        for (const [, target] of text.replace(CODE, '').matchAll(LINK))
          if (links.length < MOST_LINKS) links.push({ text: target!, line })
      }
    }
    this.links = links
    this.commands = commands
  }

  get lines(): readonly string[] {
    const lines = member(this.root.value, 'lines')
    return Array.isArray(lines) ? lines.filter(isText) : []
  }

  textOf(name: string): string | undefined {
    const bytes = this.files?.get(name)
    return bytes && new TextDecoder().decode(bytes)
  }
}

/** The path of a relative link, without its fragment; undefined for other addresses, and for examples. */
function pathOf(link: string): string | undefined {
  const path = link.replace(/[#?].*$/, '')
  if (path === '' || /^[\w+.-]+:|^[/\\~@]|[*{}$|]|\.\.\./.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const at = ({ line }: Place) => `/lines/${line}`

/** The names of scripts; undefined if they may be elsewhere. */
function scriptsIn(subject: AgentsMd): readonly string[] | undefined {
  const value = parse(subject.textOf(PACKAGE) ?? '').document?.value
  if (!isObject(value) || Object.hasOwn(value, 'workspaces')) return undefined
  if (WORKSPACES.some((name) => subject.files?.has(name))) return undefined
  const scripts = member(value, 'scripts')
  return isObject(scripts) ? Object.keys(scripts) : []
}

/** The targets of a Makefile; undefined if not all of them can be seen. */
function targetsIn(subject: AgentsMd): readonly string[] | undefined {
  const text = MAKEFILES.map((name) => subject.textOf(name)).find((found) => found !== undefined)
  if (text === undefined || /^-?s?include\b|^[^\s#:=]*[%$][^:=\n]*:(?!=)|\$\(eval/m.test(text)) return undefined
  return Array.from(text.matchAll(/^([^\s#:=][^#:=\n]*):(?!=)/gm), ([, names]) => names!.trim().split(/\s+/)).flat()
}

function reportUnknown(
  { commands }: AgentsMd,
  pattern: RegExp,
  known: readonly string[] | undefined,
  what: string,
  report: Report,
): void {
  if (known === undefined) return
  const names = new Set(known)
  for (const command of commands) {
    // The rest of the line may lead to another folder.
    if (/\bcd\s|\s(?:-C|-w|-F|--workspaces?|--prefix|--filter|--cwd|--dir|-f)\b/.test(command.text)) continue
    for (const part of command.text.split(/&&|;|\|\|/)) {
      const name = pattern.exec(part)?.[1]
      if (name === undefined || names.has(name)) continue
      report(at(command), `${what} ${quoted(name)}${orMeant(suggest(name, known))}`)
    }
  }
}

const RULES: readonly Rule<AgentsMd>[] = [
  rule(FINDINGS.TOO_LONG, ({ document }, report) => {
    const { length } = document.lines.bytes
    if (length > MOST_BYTES) report('/lines/0', `Expected at most ${MOST_BYTES} bytes, found ${length}`)
  }),
  rule(FINDINGS.DEAD_LINK, ({ files, links }, report) => {
    if (files === undefined) return
    for (const link of links) {
      const path = pathOf(link.text)
      if (path !== undefined && !files.has(path)) report(at(link), `${quoted(path)} does not exist`)
    }
  }),
  rule(FINDINGS.LITERAL_SECRET, ({ lines }, report) => {
    for (const [line, text] of lines.entries()) {
      const what = text.length < 20 ? undefined : secretIn(text)
      if (what !== undefined) report(at({ text, line }), `The line has ${what}`, { fix: REVOKE_SECRET })
    }
  }),
  rule(FINDINGS.UNKNOWN_COMMAND, (subject, report) => {
    reportUnknown(subject, RUN, scriptsIn(subject), 'package.json has no script', report)
    reportUnknown(subject, MAKE, targetsIn(subject), 'The Makefile has no target', report)
  }),
]

const WORDS: Words = {
  name: 'AGENTS.md',
  rules: new Map(),
  spell: (name) => name,
  isExtension: () => true,
  adviseOn: () => ({ hint: '' }),
}

export const AGENTS_MD: Specification<AgentsMd> = {
  kind: 'agents-md',
  // The reader makes the root, so it always is an object.
  rootObject: FINDINGS.TOO_LONG,
  subject: (document) => new AgentsMd(document),
  words: WORDS,
  settings: ruleSettings,
  shapes: () => [],
  rules: RULES,
  names: FINDINGS.names,
  mentions: (document) => [
    ...[PACKAGE, ...MAKEFILES],
    ...[...WORKSPACES, ...new AgentsMd(document).links.flatMap(({ text }) => pathOf(text) ?? [])],
  ],
}
