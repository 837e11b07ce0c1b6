import type { Reading } from '../frame/subject.ts'
import { Metadata } from './metadata.ts'
import { rootObject } from './rules/protocol.ts'

/** How metadata is parsed. */
export const METADATA_READING: Reading<Metadata> = {
  kind: 'wellknown',
  rootObject,
  subject(document) {
    // The rules hash the key with the core.
    document.keepPlaces()
    return new Metadata(document)
  },
}
