import type { Reading } from '../frame/subject.ts'
import { AiCatalog } from './ai-catalog.ts'
import { rootObject } from './rules/schema.ts'

/** Makes a document into an AI catalog that rules can read. */
export const CATALOG_READING: Reading<AiCatalog> = {
  kind: 'ai-catalog',
  rootObject,
  subject: (document) => new AiCatalog(document),
}
