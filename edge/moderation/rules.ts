// The operator's rules about which agents the directory accepts, in the SQLite of an object. Each subject has one rule.
import type { Rule, Subject, Verdict } from '../contracts/moderation.ts'
import { rowsOf } from '../storage/sql.ts'
import { domainsOf } from './subjects.ts'

const OUT: readonly Verdict[] = ['block', 'hide']
const IN: readonly Verdict[] = ['allow']

export const keepsOut = ({ verdict }: Pick<Rule, 'verdict'>): boolean => OUT.includes(verdict)

/** The facts about a card that rules can match. */
export interface Facts {
  readonly id: string
  readonly key: string | undefined
  readonly hosts: readonly (string | undefined)[]
}

export class Rules {
  readonly #storage: DurableObjectStorage
  readonly #rules = new Map<string, Rule>()

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS rules (
        "of" TEXT NOT NULL, value TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY ("of", value)
      ) WITHOUT ROWID;
    `)
    for (const rule of rowsOf<Rule>(storage.sql, 'SELECT * FROM rules')) this.#keep(rule)
  }

  /** Increases with every change. */
  get version(): number {
    return this.#storage.kv.get<number>('rules version') ?? 0
  }

  get size(): number {
    return this.#rules.size
  }

  all(): readonly Rule[] {
    return [...this.#rules.values()].sort((a, b) => (nameOf(a.of, a.value) < nameOf(b.of, b.value) ? -1 : 1))
  }

  has({ of, value }: Pick<Rule, 'of' | 'value'>): boolean {
    return this.#rules.has(nameOf(of, value))
  }

  /** Applies changes, all or none. */
  change(changes: readonly Rule[], version: number): void {
    this.#storage.transactionSync(() => {
      for (const { of, value, verdict, reason, at } of changes) {
        if (verdict === 'none') this.#storage.sql.exec('DELETE FROM rules WHERE "of" = ? AND value = ?', of, value)
        else
          this.#storage.sql.exec('INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?, ?)', of, value, verdict, reason, at)
      }
      this.#storage.kv.put('rules version', version)
    })
    for (const change of changes) this.#keep(change)
  }

  /** Replaces all rules with those of another object. */
  replace(rules: readonly Rule[], version: number): void {
    this.#storage.sql.exec('DELETE FROM rules')
    this.#rules.clear()
    this.change(rules, version)
  }

  /**
   * The rule that keeps a card out. A rule about an id takes precedence, because it is shown to anyone who asks for the
   * id.
   */
  blocking({ id, key, hosts }: Facts): Rule | undefined {
    const named = [this.#find('id', id, OUT), key === undefined ? undefined : this.#find('key', key, OUT)]
    return named.find((rule) => rule !== undefined) ?? firstOf(hosts, (host) => this.#ofDomain(host, OUT))
  }

  /** True if the id or the key is allowed, or the hosts of all endpoints are. */
  allows({ id, key }: Facts, endpoints: readonly (string | undefined)[]): boolean {
    if (this.#find('id', id, IN) || (key !== undefined && this.#find('key', key, IN))) return true
    return endpoints.length > 0 && endpoints.every((host) => this.#ofDomain(host, IN) !== undefined)
  }

  #ofDomain(host: string | undefined, verdicts: readonly Verdict[]): Rule | undefined {
    return host === undefined ? undefined : firstOf(domainsOf(host), (domain) => this.#find('host', domain, verdicts))
  }

  #find(of: Subject, value: string, verdicts: readonly Verdict[]): Rule | undefined {
    const rule = this.#rules.get(nameOf(of, value))
    return rule !== undefined && verdicts.includes(rule.verdict) ? rule : undefined
  }

  #keep(rule: Rule): void {
    if (rule.verdict === 'none') this.#rules.delete(nameOf(rule.of, rule.value))
    else this.#rules.set(nameOf(rule.of, rule.value), rule)
  }
}

const LONGEST_REASON = 500

export type Refuse = (member: string, expected: string) => Error

/** Reasons are shown to anyone who asks for a card that was taken down. */
export function reasonOf(reason: unknown, refuse: Refuse): string {
  if (typeof reason === 'string' && reason.length <= LONGEST_REASON) return reason
  throw refuse('.reason', `a text of at most ${LONGEST_REASON} characters`)
}

/** The message for readers of a card that was taken down. */
export function wordsOfRemoval({ reason }: Rule): string {
  return `The operator of this directory has taken the card down${reason === '' ? '.' : `: ${reason}`}`
}

const nameOf = (of: Subject, value: string) => `${of} ${value}`

function firstOf<T, R>(items: Iterable<T>, of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item)
    if (found !== undefined) return found
  }
  return undefined
}
