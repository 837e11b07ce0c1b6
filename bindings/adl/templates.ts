// Starter definitions for `blazon init` and the page. Each is complete and valid, with placeholders for what only the
// author knows.

import { descriptionOf } from '../frame/placeholders.ts'
import type { JsonObject } from '../text/members.ts'
import type { PublicKeyMember } from './signature/keys.ts'
import data from './templates.json' with { type: 'json' }

export type TemplateName = keyof typeof data.templates

interface Template {
  readonly about: string
  /** The template that it extends. */
  readonly from?: TemplateName
  /** `{now}` stands for the current time. */
  readonly members: JsonObject
}

export const TEMPLATES = data.templates as Readonly<Record<TemplateName, Template>>

export interface DefinitionOptions {
  readonly now: Date
  /** The agent's signing key, written into the definition so that verifiers find it. */
  readonly publicKey?: PublicKeyMember | undefined
  /** Defaults to a placeholder. */
  readonly description?: string | undefined
}

/** A new definition. Members of profiles come last. */
export function newDefinition(
  template: TemplateName,
  name: string,
  { now, publicKey, description }: DefinitionOptions,
): JsonObject {
  const { from, members } = TEMPLATES[template]
  const text = JSON.stringify({ ...(from && TEMPLATES[from].members), ...members })
  const made: JsonObject = {
    ...JSON.parse(text.replaceAll('{now}', `${now.toISOString().slice(0, 19)}Z`)),
    ...(publicKey && { cryptographic_identity: { public_key: publicKey } }),
  }
  const known = data.order.filter((member) => Object.hasOwn(made, member))
  const order = new Set([...known, ...Object.keys(made)])
  return {
    $schema: 'https://adl-spec.org/0.1/schema.json',
    adl_spec: '0.1.0',
    name,
    description: description ?? descriptionOf(name),
    version: '0.1.0',
    ...Object.fromEntries(Array.from(order, (member) => [member, made[member]])),
  }
}
