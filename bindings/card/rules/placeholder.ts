import { placeholderRule } from '../../frame/placeholders.ts'
import type { Report, Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import type { Card } from '../card.ts'
import { PLACEHOLDER } from '../findings.ts'
import { isKeyName } from '../key-name.ts'

const texts = placeholderRule<Card>(PLACEHOLDER, [
  [['description'], 'what the agent does, in the words that people search for'],
  [['skills', '*'], 'a tag that the agent is found by: blazon tags list has the standard ones'],
  [['tools', '*', 'description'], 'what the tool does'],
])

export const placeholder: Rule<Card> = {
  ...texts,
  check(card, report, context) {
    texts.check(card, report, context)
    leftEndpoints(card, report)
  },
}

/**
 * Without a key, the template derives the id and an endpoint from the name. Reports that endpoint when the id has since
 * become a key.
 */
function leftEndpoints({ id, endpoints }: Card, report: Report): void {
  if (id === undefined || !isKeyName(authorityOf(id.value))) return
  for (const { pointer, value } of endpoints) {
    const { protocol, uri, auth, ...others } = value
    if (protocol !== 'aitp' || auth !== 'aitp_signed' || typeof uri !== 'string' || Object.keys(others).length > 0)
      continue
    const authority = authorityOf(uri)
    if (authority === '' || isKeyName(authority)) continue
    const fix = { hint: `write ${JSON.stringify(id.value)}, the id of the card` }
    report(`${pointer}/uri`, `this is still the endpoint of the template: the id is no longer ${quoted(uri)}`, { fix })
  }
}

function authorityOf(uri: string): string {
  const read = readAgentUri(uri)
  return 'detail' in read ? '' : read.authority
}
