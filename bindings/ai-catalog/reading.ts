import type { Reading } from '../frame/subject.ts'
import { AiCatalog } from './ai-catalog.ts'
import { ROOT_OBJECT } from './findings.ts'

/** How AI catalogs are parsed. */
export const CATALOG_READING: Reading<AiCatalog> = {
  kind: 'ai-catalog',
  rootObject: ROOT_OBJECT,
  subject: (document) => new AiCatalog(document),
}
