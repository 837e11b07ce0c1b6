// The operator's settings for the directory that are texts, and their values.
import type { Grouping } from 'blazon/directory'
import { type Env, isOn, numberOf } from '../env.ts'

/**
 * Who may publish a card: all agents, those that rules allow, those that the operator approves, or agents whose endpoints
 * are in certain domains.
 */
const ADMISSIONS = ['open', 'list', 'queue', 'domains'] as const
type Admission = (typeof ADMISSIONS)[number]

/** With an invalid setting, only agents that rules allow may publish. */
export function admissionIn({ ADMISSION: setting = '' }: Pick<Env, 'ADMISSION'>): Admission {
  if (setting === '') return 'open'
  const admission = ADMISSIONS.find((known) => known === setting)
  if (admission === undefined) console.error(`ADMISSION: expected one of ${ADMISSIONS.join(', ')}, got ${setting}`)
  return admission ?? 'list'
}

const LONGEST_NAME = 200
const LONGEST_DESCRIPTION = 2000

/** How the deployment describes itself. */
export interface About {
  readonly name: string
  readonly description: string
  /** A mailto: or https: address. */
  readonly contact?: string
}

export function aboutIn({
  DIRECTORY_NAME,
  DIRECTORY_DESCRIPTION,
  DIRECTORY_CONTACT: contact,
}: Pick<Env, 'DIRECTORY_NAME' | 'DIRECTORY_DESCRIPTION' | 'DIRECTORY_CONTACT'>): About {
  const own = contact !== undefined && /^(?:https:\/\/|mailto:)[^\s<>"]{1,500}$/.test(contact)
  if (contact && !own) console.error(`DIRECTORY_CONTACT: expected https://... or mailto:..., got ${contact}`)
  return {
    name: DIRECTORY_NAME?.trim().slice(0, LONGEST_NAME) || 'Blazon directory',
    description:
      DIRECTORY_DESCRIPTION?.trim().slice(0, LONGEST_DESCRIPTION) ||
      'A directory of agents: keeps their Agent Cards, verifies who signed them, and finds the best for a task.',
    ...(own && { contact }),
  }
}

/** The grouping of answers; undefined if they are not grouped. */
export function groupingIn(env: Env): Partial<Grouping> | undefined {
  return isOn(env, 'GROUPING') ? { perSource: numberOf(env, 'RESULTS_PER_SOURCE') } : undefined
}
