// The keys of the root that IANA publishes (root-anchors.xml): KSK-2017 and KSK-2024.
import { fromHex } from '../../../text/bytes.ts'
import { type Name, ROOT } from '../name.ts'
import type { Ds } from './rdata.ts'

/** By zone; usually only the root. */
export type TrustAnchors = Readonly<Record<Name, readonly Ds[]>>

const row = (keyTag: number, hex: string): Ds => ({ keyTag, algorithm: 8, digestType: 2, digest: fromHex(hex)! })

export const ROOT_ANCHORS: TrustAnchors = {
  [ROOT]: [
    row(20326, 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d'),
    row(38696, '683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16'),
  ],
}
