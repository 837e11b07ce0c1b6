import type { Rule } from '../../frame/rule.ts'
import { elements, isObject, objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { quoted } from '../../text/words.ts'
import type { A2aCard } from '../a2a-card.ts'
import { A2A_SCRIPT_URL } from '../findings.ts'

/** The names of members that hold URLs, anywhere in the card. */
const ADDRESSES = [
  'url',
  'documentationUrl',
  'iconUrl',
  'termsOfServiceUrl',
  'uri',
  'openIdConnectUrl',
  'authorizationUrl',
  'tokenUrl',
]

export const scriptUrl: Rule<A2aCard> = {
  ...A2A_SCRIPT_URL,
  check({ root, schemes }, report) {
    for (const place of placesOf(root, schemes)) {
      for (const name of ADDRESSES) {
        const address = textMember(place, name)
        // A data URL of a picture is harmless.
        if (address === undefined || (name === 'iconUrl' && /^data:image\/(?!svg)/i.test(address.value))) continue
        if (!isScriptUrl(address.value)) continue
        report(address.pointer, `${quoted(address.value)} is run or read where it is opened: it leads nowhere else`)
      }
    }
  },
}

function* placesOf(root: PlacedObject, schemes: ReadonlyMap<string, PlacedObject>): Generator<PlacedObject> {
  yield root
  const provider = objectMember(root, 'provider')
  if (provider !== undefined) yield provider
  for (const name of ['supportedInterfaces', 'additionalInterfaces']) yield* elements(root, name, isObject)
  for (const scheme of schemes.values()) yield* within(scheme)
}

/** Yields a scheme, its variant (1.0) and its flows. */
function* within(scheme: PlacedObject): Generator<PlacedObject> {
  yield scheme
  for (const name of Object.keys(scheme.value)) {
    const inner = objectMember(scheme, name)
    if (inner === undefined) continue
    yield inner
    for (const flow of Object.keys(inner.value)) {
      const last = objectMember(inner, flow)
      if (last === undefined) continue
      yield last
      for (const deepest of Object.keys(last.value)) {
        const end = objectMember(last, deepest)
        if (end !== undefined) yield end
      }
    }
  }
}
