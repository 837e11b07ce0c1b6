import type { Rule } from '../../frame/rule.ts'
import { elements, isText, member } from '../../text/members.ts'
import { suggest } from '../../text/suggest.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { ENDPOINT_METHOD, NO_METHODS } from '../findings.ts'

/** A limit, because each suggestion compares the method with every tool. */
const MOST_SUGGESTED = 50

export const endpointMethod: Rule<Card> = {
  ...ENDPOINT_METHOD,
  check({ tools, endpoints }, report) {
    const names = new Set(tools.map((tool) => member(tool.value, 'name')).filter(isText))
    const known = [...names].slice(0, MOST_SUGGESTED)
    for (const endpoint of endpoints) {
      const methods = elements(endpoint, 'methods', isText)
      for (const [i, { pointer, value }] of methods.entries()) {
        if (names.has(value)) continue
        const meant = i < MOST_SUGGESTED && value.length < 256 ? suggest(value, known) : undefined
        const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${quoted(meant)}?` } }
        report(pointer, `No tool has the name ${quoted(value)}`, fix)
      }
    }
  },
}

export const noMethods: Rule<Card> = {
  ...NO_METHODS,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const methods = member(endpoint.value, 'methods')
      if (!Array.isArray(methods) || methods.length > 0) continue
      report(`${endpoint.pointer}/methods`, 'No method can be reached at this endpoint', {
        fix: { hint: "leave 'methods' out when all tools can" },
      })
    }
  },
}
