import type { Rule } from '../../frame/rule.ts'
import type { McpServer } from '../server.ts'
import { argumentForm, placeholder, secretValue } from './inputs.ts'
import { cardSchema, iconType, scriptUrl, serverSchema, unreachable, valueLength, versionRange } from './root.ts'
import { cardPackages, plainHttp, repeatedPackage, transportUrl, undeclaredVariable } from './transports.ts'

/** In the order of the document. */
export const RULES: readonly Rule<McpServer>[] = [
  cardSchema,
  serverSchema,
  valueLength,
  versionRange,
  iconType,
  scriptUrl,
  unreachable,
  transportUrl,
  undeclaredVariable,
  plainHttp,
  repeatedPackage,
  cardPackages,
  argumentForm,
  secretValue,
  placeholder,
]
