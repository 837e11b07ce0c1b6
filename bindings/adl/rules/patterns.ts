// Reports the findings of bindings/core about permission patterns, as rules of ADL. Most patterns are plain, and
// checking their characters saves the call into the core.
import { checkPattern } from '../../core/patterns.ts'
import type { Report, Rule, RuleInfo } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { normalizeDenial, unmatchable } from '../permissions/path.ts'
import { once, type PermissionKind, type PlacedPattern, patterns } from '../places.ts'

const PLAIN: Readonly<Record<PermissionKind, RegExp>> = {
  host: /^(\*\.)?[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,20}$/,
  path: /^(\/(?!\.\.?(\/|$))[\w.-]+)+(\/\*\*)?$/,
  env: /^\w+\*?$/,
  command: /^[\w.-]+$/,
}

/** The patterns that need a closer check. Most documents have none. */
const closely = once((agent): readonly PlacedPattern[] =>
  patterns(agent).filter(({ kind, value }) => value.length > 255 || !PLAIN[kind].test(value)),
)

const NAMES: Readonly<Record<PermissionKind, string>> = {
  host: 'host',
  path: 'filesystem path',
  env: 'environment variable',
  command: 'command',
}

type Words = Pick<RuleInfo, 'id' | 'code' | 'title' | 'section' | 'why' | 'bad' | 'good'>

function syntaxRule(kind: PermissionKind, words: Words): Rule<Agent> {
  return {
    ...words,
    severity: 'error',
    check(agent, report) {
      for (const pattern of closely(agent)) {
        if (pattern.kind !== kind) continue
        const fault = checkPattern(kind, pattern.value).find(({ severity }) => severity === 'error')
        if (fault !== undefined) {
          report(pattern.pointer, `Pattern ${quoted(pattern.value)} is not a valid ${NAMES[kind]} pattern`, {
            fix: { hint: fault.message },
          })
        }
      }
    },
  }
}

const WHY = 'What a program cannot read as a pattern it ignores or reads in its own way: a grant or a denial is lost.'

export const hostPatterns = syntaxRule('host', {
  id: 'VAL-21',
  code: 'ADL-2016',
  title: 'Invalid host pattern syntax',
  section: 'ADL 9.2',
  why: WHY,
  bad: '{"permissions": {"network": {"allowed_hosts": ["api.example.com", "**"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com", "*.example.com"]}}}',
})

export const pathPatterns = syntaxRule('path', {
  id: 'VAL-22',
  code: 'ADL-2017',
  title: 'Invalid filesystem path pattern',
  section: 'ADL 9.3',
  why: WHY,
  bad: '{"permissions": {"filesystem": {"denied_paths": ["/data/secrets***"]}}}',
  good: '{"permissions": {"filesystem": {"denied_paths": ["/data/secrets/**"]}}}',
})

export const variablePatterns = syntaxRule('env', {
  id: 'VAL-23',
  code: 'ADL-2018',
  title: 'Invalid environment variable pattern',
  section: 'ADL 9.4',
  why: WHY,
  bad: '{"permissions": {"environment": {"allowed_variables": ["APP_**"]}}}',
  good: '{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}',
})

export const commandPatterns = syntaxRule('command', {
  id: 'command-pattern',
  code: 'BADL-104',
  title: 'Invalid command pattern',
  section: 'ADL 9.5',
  why: WHY,
  bad: '{"permissions": {"execution": {"denied_commands": ["rm**"]}}}',
  good: '{"permissions": {"execution": {"denied_commands": ["rm*"]}}}',
})

/** Reports the warnings of `checkPattern` with one of these reasons, unless it also reports an error. */
function tell(
  reasons: readonly string[],
  agent: Agent,
  report: Report,
  otherwise: (pattern: PlacedPattern) => string | undefined = () => undefined,
): void {
  for (const pattern of closely(agent)) {
    const found = checkPattern(pattern.kind, pattern.value)
    if (found.some(({ severity }) => severity === 'error')) continue
    const first = found.find(({ reason }) => reasons.includes(reason))
    if (first === undefined) continue
    report(pattern.pointer, otherwise(pattern) ?? `Pattern ${quoted(pattern.value)}: ${first.message}`)
  }
}

export const bareWildcard: Rule<Agent> = {
  id: 'bare-wildcard',
  code: 'BADL-105',
  title: 'Pattern that matches everything',
  section: 'ADL 4.4',
  severity: 'warning',
  rulesets: { security: 'error' },
  why: 'A lone `*` takes the boundary away: every host can be reached, every variable read. As a denial it takes everything.',
  bad: '{"permissions": {"network": {"allowed_hosts": ["*"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["*.example.com"]}}}',
  check(agent, report) {
    tell(['bare-wildcard'], agent, report, ({ kind, value, isAllowing }) => {
      if (isAllowing) return undefined
      return `Pattern ${quoted(value)} denies every ${NAMES[kind]}: whatever else is allowed here, nothing is`
    })
  },
}

export const midWildcard: Rule<Agent> = {
  id: 'mid-wildcard',
  code: 'BADL-106',
  title: 'Wildcard between characters',
  section: 'ADL 4.4',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'Section 4.4 lets implementations refuse such a pattern: what it grants or denies here it may not elsewhere.',
  bad: '{"permissions": {"environment": {"allowed_variables": ["APP_*_URL"]}}}',
  good: '{"permissions": {"environment": {"allowed_variables": ["APP_URL_*"]}}}',
  check: (agent, report) => tell(['mid-wildcard'], agent, report),
}

export const patternCharacters: Rule<Agent> = {
  id: 'pattern-characters',
  code: 'BADL-107',
  title: 'Pattern with characters that others may refuse',
  section: 'ADL D',
  severity: 'warning',
  why: 'The grammar has printable ASCII only, without spaces; and no host has a scheme, a port or a path.',
  bad: '{"permissions": {"network": {"allowed_hosts": ["https://api.example.com"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com"]}}}',
  check: (agent, report) => tell(['space', 'non-ascii', 'host-character'], agent, report),
}

export const unmatchedPath: Rule<Agent> = {
  id: 'unmatched-path',
  code: 'BADL-134',
  title: 'Path that nothing matches',
  section: 'ADL 9.3',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'Paths are absolute and resolved before they are matched: what such a pattern is to grant it does not, and a denial that denies nothing takes all of the file system away.',
  bad: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "$HOME/notes/**", "access": "read"}]}}}',
  good: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/home/ada/notes/**", "access": "read"}]}}}',
  check(agent, report) {
    for (const { kind, value, pointer, isAllowing } of closely(agent)) {
      if (kind !== 'path' || checkPattern(kind, value).some(({ severity }) => severity === 'error')) continue
      const reason = isAllowing ? unmatchable(value) : normalizeDenial(value) === undefined && 'paths are absolute'
      if (!reason) continue
      const lost = isAllowing ? '' : ', and until it denies something nothing in the domain is granted'
      report(pointer, `Pattern ${quoted(value)} matches nothing: ${reason}${lost}`, {
        fix: { hint: 'write the whole path from / on: variables, ~ and .. are not resolved in patterns' },
      })
    }
  },
}
