// Undefined members. They are checked once, against the specification and all profiles that the document declares.
import type { FindingKind } from '../document/finding.ts'
import { renameMember } from '../document/fixes.ts'
import type { Severity } from '../document/types.ts'
import type { Findings } from '../frame/check.ts'
import type { ObjectPlace } from '../frame/explain.ts'
import type { Remarks } from '../frame/subject.ts'
import { escapeToken } from '../text/members.ts'
import { quoted, snakeCase, suggest } from '../text/words.ts'
import { UNDEFINED_MEMBER } from './findings.ts'
import type { Settings } from './options.ts'
import { type KnownMembers, knownMembers } from './profiles/check.ts'
import { type Agent, isExtension } from './subject.ts'

/** Judges the members that the specification does not define. */
export class MemberJudge {
  readonly #agent: Agent
  readonly #findings: Findings
  readonly #severity: Severity | 'off'
  readonly #doubt: string
  readonly #settings: Settings
  readonly known: KnownMembers

  constructor(agent: Agent, findings: Findings, settings: Settings) {
    const { profiles, ruleset, rules, undefinedMembers } = settings
    this.#settings = settings
    this.#agent = agent
    this.#findings = findings
    this.known = knownMembers(agent, profiles)
    // ADL 14.3: an unknown profile may define them.
    const judged = this.known.complete || ruleset === 'strict'
    this.#severity =
      rules[UNDEFINED_MEMBER.id] ?? rules[UNDEFINED_MEMBER.code] ?? (judged ? undefinedMembers : 'warning')
    this.#doubt = this.known.complete ? '' : ': not judged, for an unknown profile may define it'
  }

  /** Judges a member that the specification does not define in an object. */
  judge(pointer: string, name: string, place: ObjectPlace, remarks: Remarks): void {
    const { root, classification } = this.known
    if ((place === 'root' && root.has(name)) || (place === 'classification' && classification.has(name))) return
    const detail = `Member ${quoted(name)} is not defined by ADL 0.1 or a declared profile${this.#doubt}`
    this.#findings.add(UNDEFINED_MEMBER, this.#severity, pointer, detail, remarks)
  }

  /** Judges a data category that neither the specification nor a known profile defines (ADL 10.4). */
  judgeCategory(
    rule: FindingKind,
    severity: Severity | 'off',
    pointer: string,
    detail: string,
    remarks?: Remarks,
  ): void {
    const { ruleset, rules } = this.#settings
    const judged = this.known.complete || ruleset === 'strict' || severity === 'off'
    const own = rules[rule.id] ?? rules[rule.code] ?? (judged ? severity : 'warning')
    this.#findings.add(rule, own, pointer, `${detail}${this.#doubt}`, remarks)
  }

  /** Reports unknown members of the objects that profiles add. */
  judgeProfileMembers(): void {
    for (const { object, names } of this.known.objects) {
      const free = new Set([...names].filter((name) => !Object.hasOwn(object.value, name)))
      for (const name of Object.keys(object.value)) {
        if (names.has(name) || isExtension(name)) continue
        const pointer = `${object.pointer}/${escapeToken(name)}`
        const meant = name.length > 40 ? undefined : suggest(snakeCase(name), [...free])
        if (meant !== undefined) free.delete(meant)
        const fix = meant && (() => renameMember(this.#agent.document, pointer, meant, `did you mean '${meant}'?`))
        this.judge(pointer, name, 'other', { atName: true, ...(fix && { fix }) })
      }
    }
  }
}
