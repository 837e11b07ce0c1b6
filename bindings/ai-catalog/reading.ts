import type { Reading } from '../frame/subject.ts'
import { AiCatalog } from './ai-catalog.ts'
import { rootObject } from './rules/schema.ts'

/** How AI catalogs are parsed. */
export const CATALOG_READING: Reading<AiCatalog> = {
  kind: 'ai-catalog',
  rootObject,
  subject: (document) => new AiCatalog(document),
}
