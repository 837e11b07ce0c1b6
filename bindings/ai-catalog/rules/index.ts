import type { Rule } from '../../frame/rule.ts'
import type { AiCatalog } from '../ai-catalog.ts'
import { plainUrl, scriptUrl } from './addresses.ts'
import {
  entryContent,
  entryType,
  identifierForm,
  noQueries,
  olderType,
  placeholder,
  queryCount,
  repeatedIdentifier,
} from './entries.ts'

/** In the order of the document. */
export const RULES: readonly Rule<AiCatalog>[] = [
  entryType,
  olderType,
  entryContent,
  identifierForm,
  repeatedIdentifier,
  noQueries,
  queryCount,
  plainUrl,
  scriptUrl,
  placeholder,
]
