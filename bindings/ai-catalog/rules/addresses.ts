// Rules for the addresses in a catalog.
import type { Rule } from '../../frame/rule.ts'
import {
  elements,
  isObject,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { quoted } from '../../text/words.ts'
import type { AiCatalog } from '../ai-catalog.ts'
import { CATALOG } from './schema.ts'

export const plainUrl: Rule<AiCatalog> = {
  id: 'plain-url',
  code: 'CAT-116',
  title: 'Address without TLS',
  section: CATALOG,
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'The document behind an entry says where an agent is and what it may be trusted with: over plain HTTP everybody on the way can change that.',
  bad: '{"entries": [{"url": "http://example.com/card.json"}]}',
  good: '{"entries": [{"url": "https://example.com/card.json"}]}',
  check({ entries }, report) {
    // The schema reports texts that are not addresses.
    for (const { pointer, value } of entries.flatMap((entry) => textMember(entry, 'url') ?? []))
      if (/^[a-z][a-z\d+.-]{0,99}:/i.test(value) && !/^https:/i.test(value) && !isScriptUrl(value))
        report(pointer, `Expected https, found ${quoted(value)}`)
  },
}

export const scriptUrl: Rule<AiCatalog> = {
  id: 'script-url',
  code: 'CAT-117',
  title: 'Address that is run or read where it is opened',
  section: CATALOG,
  severity: 'error',
  why: 'A page that shows it as a link, or as a picture, runs code of whoever wrote the catalog, or reads its own files for him.',
  bad: '{"host": {"documentationUrl": "javascript:alert(1)"}}',
  good: '{"host": {"documentationUrl": "https://example.com/docs"}}',
  check({ host, entries }, report) {
    for (const { pointer, value } of addressesOf(host, entries)) {
      // A data URL of a picture is harmless.
      const isPicture = pointer === '/host/logoUrl' && /^data:image\/(?!svg)/i.test(value)
      if (isScriptUrl(value) && !isPicture)
        report(pointer, `${quoted(value)} is run or read where it is opened: it leads nowhere else`)
    }
  },
}

function addressesOf(host: PlacedObject | undefined, entries: readonly PlacedObject[]): PlacedValue<string>[] {
  const own = ['documentationUrl', 'logoUrl'].map((name) => textMember(host, name))
  const urls = entries.map((entry) => textMember(entry, 'url'))
  const manifests = [host, ...entries].map((of) => objectMember(of, 'trustManifest'))
  const policies = manifests.map((trust) => textMember(objectMember(trust, 'trustSchema'), 'governanceUri'))
  const attested = manifests.flatMap((trust) =>
    elements(trust, 'attestations', isObject).map((one) => textMember(one, 'uri')),
  )
  return [...own, ...urls, ...policies, ...attested].filter((address) => address !== undefined)
}
