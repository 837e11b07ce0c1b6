// Security schemes and the requirements that refer to them (A2A 1.0 section 4.5, 0.3 section 5.5.3).

import type { Rule } from '../../frame/rule.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
} from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { type A2aCard, entriesOf, shapeOf } from '../a2a-card.ts'
import { A2A_DEPRECATED_FLOW, A2A_SCHEME_KIND, A2A_UNDECLARED_SCHEME } from '../findings.ts'

export const schemeKind: Rule<A2aCard> = {
  ...A2A_SCHEME_KIND,
  check({ schemes, version }, report) {
    if (version === '0.3') return
    const kinds = [...shapeOf('1.0', 'scheme').members!.keys()]
    const flows = [...shapeOf('1.0', 'flows').members!.keys()]
    for (const scheme of schemes.values()) {
      checkOne(scheme, kinds, report)
      const own = objectMember(objectMember(scheme, 'oauth2SecurityScheme'), 'flows')
      if (own !== undefined) checkOne(own, flows, report)
    }
  },
}

function checkOne(
  { pointer, value }: PlacedObject,
  kinds: readonly string[],
  report: (at: string, detail: string) => void,
) {
  const found = kinds.filter((kind) => Object.hasOwn(value, kind))
  if (found.length === 1) return
  // The schema reports misspelt members.
  if (found.length === 0 && Object.keys(value).length > 0) return
  report(
    pointer,
    `Expected exactly one of ${kinds.join(', ')}, found ${found.length === 0 ? 'none' : found.join(' and ')}`,
  )
}

/** How many schemes one finding names. */
const MOST_NAMED = 5

export const undeclaredScheme: Rule<A2aCard> = {
  ...A2A_UNDECLARED_SCHEME,
  check({ root, skills, version }, report) {
    const declared = objectMember(root, 'securitySchemes')?.value ?? {}
    const names = Object.keys(declared)
    const known = names.length === 0 ? 'none' : oneOf(names.slice(0, MOST_NAMED).map(quoted))
    const name = version === '1.0' ? 'securityRequirements' : 'security'
    for (const requirement of [root, ...skills].flatMap((of) => elements(of, name, isObject))) {
      const named = version === '1.0' ? objectMember(requirement, 'schemes') : requirement
      for (const scheme of Object.keys(named?.value ?? {})) {
        if (Object.hasOwn(declared, scheme)) continue
        const detail = `${quoted(scheme)} is no security scheme: the card has ${known}`
        report(`${named!.pointer}/${escapeToken(scheme)}`, detail, { atName: true })
      }
    }
  },
}

export const deprecatedFlow: Rule<A2aCard> = {
  ...A2A_DEPRECATED_FLOW,
  check({ schemes, version }, report) {
    for (const scheme of schemes.values()) {
      const flows = entriesOf(
        objectMember(version === '1.0' ? objectMember(scheme, 'oauth2SecurityScheme') : scheme, 'flows'),
      )
      for (const name of ['implicit', 'password']) {
        const flow = flows.get(name)
        if (flow !== undefined)
          report(flow.pointer, `The flow ${name} is deprecated: use authorizationCode or clientCredentials`, {
            atName: true,
          })
      }
    }
  },
}

/**
 * The part of the 0.3 schema for this type of scheme, which applies in addition to the common part. Undefined for an
 * unknown type.
 */
export function partOfScheme(scheme: JsonObject): string | undefined {
  const type = member(scheme, 'type')
  return isText(type) && shapeOf('0.3', 'scheme').members!.get('type')!.options!.includes(type) ? type : undefined
}
