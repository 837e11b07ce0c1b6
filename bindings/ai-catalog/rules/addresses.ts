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
import { PLAIN_URL, SCRIPT_URL } from '../findings.ts'

export const plainUrl: Rule<AiCatalog> = {
  ...PLAIN_URL,
  check({ entries }, report) {
    // The schema reports texts that are not addresses.
    for (const { pointer, value } of entries.flatMap((entry) => textMember(entry, 'url') ?? []))
      if (/^[a-z][a-z\d+.-]{0,99}:/i.test(value) && !/^https:/i.test(value) && !isScriptUrl(value))
        report(pointer, `Expected https, found ${quoted(value)}`)
  },
}

export const scriptUrl: Rule<AiCatalog> = {
  ...SCRIPT_URL,
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
