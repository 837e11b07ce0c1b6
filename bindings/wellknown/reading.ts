import type { Reading } from '../frame/subject.ts'
import { ROOT_OBJECT } from './findings.ts'
import { Metadata } from './metadata.ts'

/** How metadata is parsed. */
export const METADATA_READING: Reading<Metadata> = {
  kind: 'wellknown',
  rootObject: ROOT_OBJECT,
  subject(document) {
    // The rules hash the key with the core.
    document.keepPlaces()
    return new Metadata(document)
  },
}
