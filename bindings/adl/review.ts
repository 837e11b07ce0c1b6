import type { Diagnostic } from '../document/types.ts'
import { Findings } from '../frame/collect.ts'
import type { Rule } from '../frame/rule.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import type { Agent } from './agent.ts'
import { readAgent } from './read-agent.ts'
import { REVIEW_RULES } from './review/rules.ts'
import { personalContact } from './rules/personal-contact.ts'
import { privateHosts } from './rules/private-hosts.ts'
import { secrets } from './rules/secrets.ts'

export interface Review {
  /** True when it may be published without the approval of a reviewer (ADL 18.4). */
  readonly publishable: boolean
  /** The facts that publication reveals, in the order of the document, each with advice in `fix`. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The rules that are also warnings of validation. They are more specific than the lists of the review. */
const WARNINGS: readonly Rule<Agent>[] = [privateHosts, personalContact, secrets]

const MOST = 1000

/**
 * Lists what publishing a definition reveals (ADL 18.2, 18.4, 18.9): prompts, contacts, hosts, addresses, paths,
 * examples.
 *
 * @example
 * review('{"system_prompt": "Secret"}').diagnostics[0].code // 'BADL-181'
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function review(source: Source, { file }: FileOptions = {}): Review {
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) return { publishable: false, diagnostics }
  const findings = new Findings(MOST)
  const told = new Set<string>()
  for (const rule of [...WARNINGS, ...REVIEW_RULES]) {
    // A secret does more harm in a published document than in a stored one.
    const severity = rule === secrets ? 'error' : rule.severity
    const isWarning = WARNINGS.includes(rule)
    rule.check(
      agent,
      (pointer, detail, remarks) => {
        if (told.has(pointer)) return
        if (isWarning) told.add(pointer)
        findings.add(rule, severity, pointer, detail, remarks)
      },
      { now: new Date(0) },
    )
  }
  return { publishable: !findings.hasErrors, diagnostics: findings.diagnostics(agent.document, diagnostics) }
}
