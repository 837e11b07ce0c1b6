// Rules for settings of Claude Code, each from its documentation: docs/guide/runners.md names the pages.
import { renameMember, replaceText } from '../document/fixes.ts'
import type { Fix } from '../document/types.ts'
import { type Report, type Rule, rule } from '../frame/subject.ts'
import { elements, escapeToken, isObject, isText, type PlacedObject, textMember } from '../text/members.ts'
import { secretIn } from '../text/secret-shapes.ts'
import { cut, orMeant, quoted, suggest } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { EVENTS, MEMBERS, TOOL_EVENTS, TOOLS, UNMATCHED } from './names.ts'
import { covers, LISTS, namesTool, type PermissionRule, readRule, ruleTexts } from './permission-rule.ts'
import { isUnmatched, SettingsPolicy } from './policy.ts'
import schema from './schema.json' with { type: 'json' }
import type { SettingsSubject } from './subject.ts'

const PERMISSIONS = Object.keys(schema.properties.permissions.properties)
/** Those of hooks that decide what runs. */
const HOOK_MEMBERS = ['type', 'command', 'prompt']
/** Each suggestion compares a name with all known ones. */
const MOST_SUGGESTIONS = 20

/** Members that grant something. What grants nothing so far is repaired by a person: `--fix` must not grant more. */
const GRANTS = ['permissions', 'allow', 'additionalDirectories', 'defaultMode', 'sandbox']
const guarded = (member: string, fix: Fix): Fix => (GRANTS.includes(member) ? { hint: fix.hint } : fix)

/** In the order of the document. */
export const RULES: readonly Rule<SettingsSubject>[] = [
  rule(FINDINGS.UNKNOWN_MEMBER, ({ root, permissions, groups, document }, report) => {
    const places: readonly (readonly [PlacedObject | undefined, readonly string[]])[] = [
      [root, MEMBERS],
      [permissions, PERMISSIONS],
      ...groups.flatMap((group) => elements(group, 'hooks', isObject).map((hook) => [hook, HOOK_MEMBERS] as const)),
    ]
    for (const [of, known] of places) {
      const unknown = Object.keys(of?.value ?? {}).filter((name) => !known.includes(name))
      for (const name of unknown.slice(0, MOST_SUGGESTIONS)) {
        const meant = nearest(name, known)
        // New versions have new members, and the file has room for those of others.
        if (of !== permissions && meant === undefined) continue
        const isFree = meant !== undefined && !Object.hasOwn(of!.value, meant)
        const pointer = `${of!.pointer}/${escapeToken(name)}`
        report(pointer, `Claude Code ignores ${quoted(name)}${orMeant(meant)}`, {
          atName: true,
          ...(isFree && { fix: () => guarded(meant, renameMember(document, pointer, meant)) }),
        })
      }
    }
  }),
  rule(FINDINGS.UNKNOWN_EVENT, ({ hooks, groups }, report) => {
    for (const name of Object.keys(hooks?.value ?? {}).slice(0, MOST_SUGGESTIONS))
      if (!EVENTS.includes(name))
        report(`/hooks/${escapeToken(name)}`, `${quoted(name)} is not an event${orMeant(nearest(name, EVENTS))}`, {
          atName: true,
        })
    for (const group of groups)
      for (const hook of TOOL_EVENTS.includes(group.event) ? [] : elements(group, 'hooks', isObject)) {
        const condition = textMember(hook, 'if')
        if (condition !== undefined)
          report(
            condition.pointer,
            `A hook of ${cut(group.event, 40)} with 'if' never runs: the event is not about a tool`,
          )
      }
  }),
  rule(FINDINGS.UNKNOWN_TOOL, ({ rules, groups, document }, report) => {
    let suggestions = 0
    const meantBy = (name: string) => (suggestions++ < MOST_SUGGESTIONS ? nearest(name, TOOLS) : undefined)
    for (const { list, tool, text, pointer } of all(rules)) {
      // Claude Code exempts these names: they may be of servers.
      if (TOOLS.includes(tool) || /[_*]/.test(tool)) continue
      const meant = meantBy(tool)
      const fix = meant && (() => guarded(list, replaceText(document, pointer, meant + text.slice(tool.length))))
      report(pointer, `There is no tool ${quoted(tool)}${orMeant(meant)}`, fix ? { fix } : {})
    }
    for (const group of groups) {
      const matcher = TOOL_EVENTS.includes(group.event) ? textMember(group, 'matcher') : undefined
      // Other characters make it a regular expression.
      const names = /^[\w, |-]+$/.test(matcher?.value ?? '') ? matcher!.value.split(/[|,]/) : []
      for (const name of names.map((one) => one.trim()).slice(0, MOST_SUGGESTIONS))
        if (name !== '' && !TOOLS.includes(name) && !name.includes('_'))
          report(matcher!.pointer, `There is no tool ${quoted(name)}${orMeant(meantBy(name))}`)
    }
  }),
  rule(FINDINGS.RULE_FORM, ({ root }, report) => {
    for (const list of LISTS)
      for (const text of ruleTexts(root, list))
        if (readRule(list, text) === undefined)
          report(text.pointer, `Expected Tool or Tool(specifier), found ${quoted(text.value)}`)
  }),
  rule(FINDINGS.DEAD_RULE, ({ rules, document }, report) => {
    for (const one of all(rules)) {
      const { list, tool, specifier, pointer } = one
      const reason = whyDead(one)
      if (reason === undefined) continue
      const meant = isUnmatched(one) ? UNMATCHED[tool] : undefined
      report(
        pointer,
        reason,
        meant === undefined
          ? {}
          : { fix: () => guarded(list, replaceText(document, pointer, `${meant}(${specifier})`)) },
      )
    }
  }),
  rule(FINDINGS.NOT_ABSOLUTE, ({ rules, document }, report) => {
    for (const { list, tool, specifier = '', pointer } of all(rules))
      if (/^(?:Read|Edit)$/.test(tool) && SYSTEM_PATH.test(specifier))
        report(pointer, `${quoted(specifier)} is below the folder of the settings: absolute paths begin with //`, {
          fix: () => guarded(list, replaceText(document, pointer, `${tool}(/${specifier})`)),
        })
  }),
  rule(FINDINGS.PASSED_DENIAL, reportPassed),
  rule(FINDINGS.IDLE_ALLOW, ({ rules }, report) => {
    const stops = [...rules.deny, ...rules.ask].slice(0, MOST_COMPARED)
    for (const one of rules.allow.slice(0, MOST_COMPARED)) {
      const by = stops.find((other) => covers(other, one))
      if (by !== undefined) report(one.pointer, `${quoted(by.text)} of ${by.list} counts first`, relatedTo(by))
    }
  }),
  rule(FINDINGS.WIDE_ALLOW, ({ rules }, report) => {
    for (const { tool, specifier = '', pointer } of rules.allow)
      if (tool === 'Bash' && /^(?:\*\s*\S|[\w./-]+ \*\s*[^\s*])/.test(specifier))
        report(
          pointer,
          `The wildcard of ${quoted(specifier)} also stands for ${specifier[0] === '*' ? 'any program' : 'options'}`,
        )
  }),
  rule(FINDINGS.OPEN_MODE, ({ permissions }, report) => {
    const mode = textMember(permissions, 'defaultMode')
    if (mode?.value === 'bypassPermissions')
      report(mode.pointer, 'Everything that no rule denies runs without a question')
  }),
  rule(FINDINGS.LITERAL_SECRET, ({ root }, report) => {
    const env = isObject(root.value['env']) ? root.value['env'] : {}
    for (const [name, value] of Object.entries(env)) {
      const what = isText(value) ? secretIn(value) : undefined
      if (what !== undefined) report(`/env/${escapeToken(name)}`, `Looks like ${what}`)
    }
  }),
]

const all = (rules: SettingsSubject['rules']) => LISTS.flatMap((list) => rules[list])
const relatedTo = ({ pointer, list }: PermissionRule) => ({ related: [{ pointer, message: `the rule of ${list}` }] })

/** The known name that differs in case or by two letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const meant = known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? suggest(name.slice(0, 41), known)
  return meant !== undefined && Math.abs(meant.length - name.length) <= 2 ? meant : undefined
}

/** Folders of a system: nobody has them in a project. */
const SYSTEM_PATH = /^\/(?:etc|home|Users|root|usr|var|tmp|opt|private|mnt)(?:\/|$)/

/** Why a rule never matches; undefined when it can. */
function whyDead(one: PermissionRule): string | undefined {
  const { list, tool, specifier } = one
  if (isUnmatched(one))
    return `Only paths of ${UNMATCHED[tool]} are compared, for all tools that ${UNMATCHED[tool] === 'Edit' ? 'edit' : 'read'} files`
  if (list === 'allow' && tool.includes('*') && !namesTool(one, tool.replaceAll('*', 'x')))
    return 'A grant may have a wildcard only after mcp__SERVER__'
  if (specifier === undefined) return undefined
  if (tool.startsWith('mcp__') && list === 'allow') return 'A grant for a tool of a server has no specifier'
  if (/^(?:Bash|PowerShell)$/.test(tool)) {
    if (/:\*./.test(specifier)) return "':*' is a wildcard only at the end: elsewhere it is the text"
    if (/^command\s*:/.test(specifier)) return 'Rules do not compare the member command: write the command itself'
  }
  if (tool === 'WebFetch' && !/^domain:\s*[^\s/]+$/.test(specifier))
    return 'Expected domain:HOST, without a scheme or path'
  return undefined
}

/** Rules compared with one another. Generated files have more, which are not worth minutes. */
const MOST_COMPARED = 200
const MOST_DECIDED = 100_000
const LAUNCHERS = ['bash -c', 'sh -c', 'eval', 'env', 'sudo', 'xargs -n1', 'npx', 'exec', 'docker exec x']
const PROGRAMS = ['python3 x', 'python x', 'node x', 'perl x', 'awk x']
const PLACES = { root: '/project', home: '/home/user' }

/** Decides the ways around each denial with the policy itself. */
function reportPassed({ root, rules }: SettingsSubject, report: Report): void {
  if (isSandboxed(root)) return
  const policy = new SettingsPolicy(root, PLACES)
  const seen = new Set<string>()
  const most = Math.min(MOST_COMPARED, MOST_DECIDED / all(rules).length)
  for (const one of rules.deny.slice(0, most)) {
    for (const line of waysAround(one)) {
      const { outcome, decidedBy } = policy.decide({ domain: 'execution', command: line, shell: true })
      if (outcome !== 'allow' || decidedBy === undefined || seen.has(decidedBy)) continue
      seen.add(decidedBy)
      report(decidedBy, `It allows ${quoted(line)}, which ${quoted(one.text)} does not stop`, relatedTo(one))
    }
  }
}

function waysAround({ tool, specifier }: PermissionRule): readonly string[] {
  if (specifier === undefined) return []
  if (tool === 'Read' || tool === 'Edit') return PROGRAMS
  const command = withoutStar(specifier)
  if (tool !== 'Bash' || !/^[\w./-]+(?: [\w./-]+)*$/.test(command)) return []
  return LAUNCHERS.map((launcher) => `${launcher} ${/-c$|^eval/.test(launcher) ? `'${command}'` : command}`)
}

/** `npm run:*` and `npm run *` without what stands for the rest of a line. */
function withoutStar(specifier: string): string {
  if (!specifier.endsWith('*')) return specifier
  let end = specifier.length - 1
  while (end > 0 && ' :'.includes(specifier[end - 1]!)) end--
  return specifier.slice(0, end)
}

function isSandboxed({ value }: PlacedObject): boolean {
  const sandbox = value['sandbox']
  return isObject(sandbox) && sandbox['enabled'] === true && sandbox['allowUnsandboxedCommands'] !== true
}
