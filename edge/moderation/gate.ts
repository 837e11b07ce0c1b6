// Decides which cards get into a shard: none that a rule blocks, and of the others those that the setting ADMISSION
// allows.
import { type AgentCard, isRevocation } from 'blazon/card'
import type { DirectoryOptions, StoredCard } from 'blazon/directory'
import type { Rule } from '../contracts/moderation.ts'
import { admissionIn } from '../directory/settings.ts'
import type { ShardStore } from '../directory/shard-store.ts'
import type { Env } from '../env.ts'
import { type Facts, keepsOut, type Rules } from './rules.ts'
import { cardIn, domainsOf, formOf, hostOfId, hostsOf, idForm } from './subjects.ts'

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
