// Reports the findings of bindings/core about permission patterns, as rules of ADL. Most patterns are plain, and
// checking their characters saves the call into the core.

import { checkPattern } from '../../core/patterns.ts'
import type { FindingKind } from '../../document/finding.ts'
import type { Report, Rule } from '../../frame/subject.ts'
import { needsShell, normalizeDenial, unmatchable } from '../../policy/path.ts'
import { elements, isText, member, objectMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { once, type PermissionKind, type PlacedPattern, patterns } from '../places.ts'
import type { Agent } from '../subject.ts'

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

function syntaxRule(kind: PermissionKind, finding: FindingKind): Rule<Agent> {
  return {
    ...finding,
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

export const hostPatterns = syntaxRule('host', FINDINGS.VAL_21)

export const pathPatterns = syntaxRule('path', FINDINGS.VAL_22)

export const variablePatterns = syntaxRule('env', FINDINGS.VAL_23)

export const commandPatterns = syntaxRule('command', FINDINGS.COMMAND_PATTERN)

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
  ...FINDINGS.BARE_WILDCARD,
  check(agent, report) {
    tell(['bare-wildcard'], agent, report, ({ kind, value, isAllowing }) => {
      if (isAllowing) return undefined
      return `Pattern ${quoted(value)} denies every ${NAMES[kind]}: whatever else is allowed here, nothing is`
    })
  },
}

export const midWildcard: Rule<Agent> = {
  ...FINDINGS.MID_WILDCARD,
  check: (agent, report) => tell(['mid-wildcard'], agent, report),
}

export const patternCharacters: Rule<Agent> = {
  ...FINDINGS.PATTERN_CHARACTERS,
  check: (agent, report) => tell(['space', 'non-ascii', 'host-character'], agent, report),
}

export const unmatchedPath: Rule<Agent> = {
  ...FINDINGS.UNMATCHED_PATH,
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

export const shellCommand: Rule<Agent> = {
  ...FINDINGS.SHELL_COMMAND,
  check({ permissions }, report) {
    const execution = objectMember(permissions, 'execution')
    if (execution === undefined || member(execution.value, 'allow_shell') === true) return
    for (const { pointer, value } of elements(execution, 'allowed_commands', isText)) {
      if (needsShell(value, false)) {
        report(pointer, `${quoted(value)} is a shell or needs one, and allow_shell is not true: it stays denied`)
      }
    }
  },
}

export const allowShell: Rule<Agent> = {
  ...FINDINGS.ALLOW_SHELL,
  check({ permissions }, report) {
    const execution = objectMember(permissions, 'execution')
    if (member(execution?.value, 'allow_shell') !== true) return
    report(`${execution!.pointer}/allow_shell`, 'allow_shell lets the agent run every command')
  },
}
