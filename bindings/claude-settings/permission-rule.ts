// One rule of `permissions`: `Tool` or `Tool(specifier)`.
// https://code.claude.com/docs/en/permissions#permission-rule-syntax
import { normalizeHost } from '../policy/host.ts'
import { elements, isText, objectMember, type PlacedObject, type PlacedValue } from '../text/members.ts'

export const LISTS = ['deny', 'ask', 'allow'] as const
export type List = (typeof LISTS)[number]

export interface PermissionRule {
  readonly list: List
  readonly pointer: string
  readonly text: string
  readonly tool: string
  /** Undefined for the whole tool, as is `*`. */
  readonly specifier: string | undefined
}

/** A rule; undefined when a text does not have the form of one. */
export function readRule(list: List, { pointer, value }: PlacedValue<string>): PermissionRule | undefined {
  const [, tool, , inner] = /^([^\s()]+)(\((.*)\))?$/s.exec(value) ?? []
  if (tool === undefined || inner?.trim() === '') return undefined
  return { list, pointer, text: value, tool, specifier: inner === '*' ? undefined : inner }
}

/** The texts of a list of rules. */
export const ruleTexts = (root: PlacedObject, list: List): readonly PlacedValue<string>[] =>
  elements(objectMember(root, 'permissions'), list, isText)

/** The rules of a file, by list. */
export type Rules = Readonly<Record<List, readonly PermissionRule[]>>

export function readRules(root: PlacedObject): Rules {
  const read = (list: List) => ruleTexts(root, list).flatMap((text) => readRule(list, text) ?? [])
  return { deny: read('deny'), ask: read('ask'), allow: read('allow') }
}

/** True when a rule names a tool: wildcards count in denials, and in grants after the name of a server. */
export function namesTool({ list, tool }: PermissionRule, name: string): boolean {
  if (tool === name) return true
  // Only a denial may take `mcp__a__b` for a server whose name has `__`.
  const isServer = /^mcp__[^_]/.test(tool) && (list !== 'allow' || tool.split('__').length === 2)
  if (!tool.includes('*')) return isServer && name.startsWith(`${tool}__`)
  return (list !== 'allow' || /^mcp__[^*]+?__/.test(tool)) && matchesText(tool, name)
}

/** True when a text matches a pattern in which each `*` is any text. Takes the first place for each part. */
function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (parts.length === 1) return pattern === text
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  const until = text.length - last.length
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from)
    if (at < 0 || at + part.length > until) return false
    from = at + part.length
  }
  return from <= until
}

/** The specifier of a Bash rule as a pattern: `ls:*` is another form of `ls *`. */
export const linePattern = (specifier: string): string => specifier.replace(/:\*$/, ' *')

/** True when the specifier of a Bash rule matches a command: `ls *` also matches `ls`. */
export function matchesCommand(specifier: string, command: string): boolean {
  const pattern = linePattern(specifier)
  const head = pattern.slice(0, -2)
  return matchesText(pattern, command) || (pattern.endsWith(' *') && !head.includes('*') && command === head)
}

/** The host in the specifier of a WebFetch rule; undefined for another form. */
export const domainIn = (specifier: string): string | undefined => /^domain:\s*(\S+)$/.exec(specifier)?.[1]

/** A host pattern in the form of normalized hosts, name by name if it has wildcards. */
function hostPattern(domain: string): string {
  if (!domain.includes('*')) return normalizeHost(domain) ?? domain
  const inAscii = (label: string) => (/[^ -~]/.test(label) ? (normalizeHost(label) ?? label) : label.toLowerCase())
  return domain.replace(/\.$/, '').split('.').map(inAscii).join('.')
}

/** True when the specifier of a WebFetch rule matches a normalized host: only a leading `*.` crosses dots. */
export function matchesDomain(specifier: string, host: string): boolean {
  const domain = domainIn(specifier)
  if (domain === undefined) return false
  const wanted = hostPattern(domain)
  if (wanted === '*') return true
  const isOpen = wanted.startsWith('*.')
  const [parts, labels] = [wanted.slice(isOpen ? 2 : 0).split('.'), host.split('.')]
  const rest = isOpen ? labels.slice(-parts.length) : labels
  return (
    (isOpen ? labels.length > parts.length : labels.length === parts.length) &&
    parts.every((part, i) => matchesText(part, rest[i]!))
  )
}

/** Stands for the text of a wildcard: no rule has it. */
const ANY = '\u0001'

/** True when a rule matches all that another matches: the same tool, and the whole or each wildcard of it. */
export function covers(outer: PermissionRule, inner: PermissionRule): boolean {
  if (outer.specifier === undefined) return namesTool(outer, inner.tool)
  if (outer.tool !== inner.tool || inner.specifier === undefined) return false
  if (outer.specifier === inner.specifier) return true
  const text = linePattern(inner.specifier).replaceAll('*', ANY)
  return inner.tool === 'Bash' && matchesCommand(outer.specifier, text)
}
