// The operator's rules about which agents the directory accepts, in the SQLite of an object. Each subject has one rule.

import { type AgentCard, isRevocation } from 'blazon/card'
import type { DirectoryOptions, StoredCard } from 'blazon/directory'
import { MOST_RULES, type Rule, type Subject, type Verdict } from '../contracts/directory.ts'
import { offer, ownId } from '../directory/service.ts'
import { admissionIn } from '../directory/settings.ts'
import type { ShardStore } from '../directory/shard-store.ts'
import { type Env, moderation } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { Store } from '../platform/types.ts'
import { rowsOf } from '../storage/log.ts'
import { cardIn, domainsOf, formOf, hostOfId, hostsOf, idForm } from './subjects.ts'

const OUT: readonly Verdict[] = ['block', 'hide']
const IN: readonly Verdict[] = ['allow']

const keepsOut = ({ verdict }: Pick<Rule, 'verdict'>): boolean => OUT.includes(verdict)

/** The facts about a card that rules can match. */
interface Facts {
  readonly id: string
  readonly key: string | undefined
  readonly hosts: readonly (string | undefined)[]
}

export class Rules {
  readonly #storage: Store
  readonly #rules = new Map<string, Rule>()

  constructor(storage: Store) {
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
    return [...this.#rules.values()].sort((a, b) => (ruleKey(a.of, a.value) < ruleKey(b.of, b.value) ? -1 : 1))
  }

  has({ of, value }: Pick<Rule, 'of' | 'value'>): boolean {
    return this.#rules.has(ruleKey(of, value))
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
    const rule = this.#rules.get(ruleKey(of, value))
    return rule !== undefined && verdicts.includes(rule.verdict) ? rule : undefined
  }

  #keep(rule: Rule): void {
    if (rule.verdict === 'none') this.#rules.delete(ruleKey(rule.of, rule.value))
    else this.#rules.set(ruleKey(rule.of, rule.value), rule)
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

const ruleKey = (of: Subject, value: string) => `${of} ${value}`

function firstOf<T, R>(items: Iterable<T>, of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Waiting cards that are read, and offered to shards, at once. */
const AT_ONCE = 32

/**
 * Changes rules. Once this returns, every shard uses the new rules, blocked cards are gone, and waiting cards that a
 * rule allows are stored. Returns the ids of those cards.
 */
export async function decide(env: Env, changes: readonly Rule[]): Promise<readonly string[]> {
  const own = idForm(await ownId(env))
  if (changes.some((rule) => rule.of === 'id' && rule.value === own && keepsOut(rule))) {
    throw new Problem('bad-request', `${own} is this directory itself: its card cannot be taken down.`)
  }
  // A shard that cannot be reached would continue with the old rules, so the change must not be acknowledged.
  const isDone = await moderation(env)
    .change(changes)
    .catch((error) => {
      console.error(error)
      throw new Problem(
        'unavailable',
        'The change is stored, but a shard of the directory did not get it. Send it again.',
      )
    })
  if (!isDone) throw new Problem('full', `The limit of ${MOST_RULES} rules is reached: remove some first.`)
  return changes.every(keepsOut) ? [] : letIn(env, changes)
}

/** Offers waiting cards again: those that the rules now allow are stored, as if they had just arrived. */
async function letIn(env: Env, changes: readonly Rule[]): Promise<readonly string[]> {
  const ids = new Set(changes.filter(({ of }) => of === 'id').map(({ value }) => value))
  const onlyIds = changes.every(({ of }) => of === 'id')
  const entered: string[] = []
  for (let after = ''; ; ) {
    const { cards } = await moderation(env).waiting(after, AT_ONCE)
    const meant = onlyIds ? cards.filter(({ id }) => ids.has(idForm(id))) : cards
    const settled = await Promise.all(meant.map((card) => offer(env, card)))
    for (const one of meant.filter((_, i) => settled[i]!.stored).map(({ id }) => id)) entered.push(one)
    if (cards.length < AT_ONCE) break
    after = cards.at(-1)!.id
  }
  return entered
}

// Decides which cards get into a shard: none that a rule blocks, and of the others those that the setting ADMISSION
// allows.

type Policy = NonNullable<DirectoryOptions['policy']>

export class Gate {
  readonly #env: Env
  readonly #store: ShardStore
  readonly #rules: Rules

  constructor(env: Env, store: ShardStore, rules: Rules) {
    this.#env = env
    this.#store = store
    this.#rules = rules
  }

  /** The policy of the shard's directory, called in the turn in which a card is stored. */
  readonly judge: Policy = (card, _, { signer, sender }) => {
    const facts = factsOf(card, signer)
    const blocked = this.#rules.blocking(facts)
    if (blocked?.verdict === 'hide') return { reason: 'policy', detail: NOT_LISTED }
    if (blocked !== undefined) return { reason: 'blocked', detail: wordsOf(blocked) }
    if (sender.operator === true || sender.admitted === true) return true
    const known = this.#store.cards.has(card.id)
    // A listed agent may always publish its revocation.
    if (known && isRevocation(card)) return true
    const admission = admissionIn(this.#env)
    if (admission === 'open' || (admission === 'queue' && known)) return true
    const endpoints = hostsOf(card)
    if (this.#rules.allows(facts, endpoints)) return true
    if (admission === 'queue') return { reason: 'waiting', detail: WAITING }
    return (admission === 'domains' && this.#areOwn(endpoints)) || { reason: 'policy', detail: NOT_LISTED }
  }

  /**
   * The rule that blocks an id, whether or not there is a card. A hidden id gives no rule: it is answered as if it had
   * never existed.
   */
  removed(id: string): Rule | undefined {
    const rule = this.#rules.blocking({ id: idForm(id), key: undefined, hosts: [] })
    return rule?.verdict === 'hide' ? undefined : rule
  }

  blocks(card: StoredCard): boolean {
    return this.#rules.blocking(factsOf(cardIn(card), card.signer)) !== undefined
  }

  /** The ids of stored cards that changes take down. The cards themselves are read only for rules about hosts. */
  *takenDown(changes: readonly Rule[]): Generator<string> {
    const blocks = changes.filter(keepsOut)
    if (blocks.length === 0) return
    if (blocks.some(({ of }) => of === 'host')) {
      for (const card of this.#store.cards.since(0)) if (this.blocks(card)) yield card.id
      return
    }
    for (const { id, signer } of this.#store.cards.signers()) {
      if (this.#rules.blocking({ id: idForm(id), key: signer, hosts: [] })) yield id
    }
  }

  #areOwn(hosts: readonly string[]): boolean {
    const domains = domainsIn(this.#env)
    return hosts.length > 0 && hosts.every((host) => [...domainsOf(host)].some((domain) => domains.has(domain)))
  }
}

const WAITING = 'the card waits for approval by the operator of this directory; do not send it again'
const NOT_LISTED = 'this directory accepts only cards of agents that its operator has allowed: ask the operator'

export function factsOf(card: AgentCard, signer: string | undefined): Facts {
  return { id: idForm(card.id), key: signer, hosts: [hostOfId(card.id), ...hostsOf(card)] }
}

function wordsOf({ of, value, reason }: Rule): string {
  const why = reason === '' ? '' : `: ${reason}`
  return `the operator of this directory has blocked ${of === 'key' ? 'the key that signs this card' : value}${why}`
}

/** The domains of the setting ADMISSION_DOMAINS, in canonical form. */
function domainsIn({ ADMISSION_DOMAINS: setting = '' }: Pick<Env, 'ADMISSION_DOMAINS'>): ReadonlySet<string> {
  const names = setting.split(/[\s,]+/).filter((name) => name !== '')
  return new Set(names.flatMap((name) => formOf('host', name) ?? []))
}
