// Keeps the cards of private agents out of every answer of the directory, no matter who publishes them. Rules block
// them without saying so.
import type { Rule } from '../contracts/moderation.ts'
import { documents, type Env, moderation } from '../env.ts'
import { decide } from '../moderation/decide.ts'
import { formOf } from '../moderation/subjects.ts'
import { hostInSetting } from './hosts.ts'

/**
 * Hides the cards whose ids are the name or a host of an agent while it is private. Only the operator's settings count:
 * with its own metadata an agent could hide the cards of others.
 */
export async function hideCards(env: Env, name: string): Promise<void> {
  const row = await documents(env).agentRow(name)
  const { rules } = await moderation(env).rules()
  const reason = `private: ${name}`
  const ids = row?.isPrivate === true ? idsOf(name, [row.host, hostInSetting(env, name)]) : []
  const blocked = rules.flatMap(({ of, value, verdict }) => (of === 'id' && verdict === 'block' ? [value] : []))
  const at = Date.now()
  const changes: readonly Rule[] = [
    ...rules
      .filter((rule) => rule.verdict === 'hide' && rule.reason === reason && !ids.includes(rule.value))
      .map((rule) => ({ ...rule, verdict: 'none' as const, at })),
    // Blocked ids stay blocked, with their reason. Hidden ids are announced again, because a shard may have missed
    // them.
    ...ids
      .filter((value) => !blocked.includes(value))
      .map((value) => ({ of: 'id' as const, value, verdict: 'hide' as const, reason, at })),
  ]
  if (changes.length > 0) await decide(env, changes)
}

function idsOf(name: string, hosts: readonly (string | null | undefined)[]): readonly string[] {
  const names = [name, ...hosts.flatMap((host) => (host == null ? [] : [host.replace(/:\d+$/, '')]))]
  return [...new Set(names.flatMap((one) => formOf('id', `agent://${one}`) ?? []))]
}
