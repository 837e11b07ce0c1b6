import type { Rule } from '../../frame/rule.ts'
import type { Card } from '../card.ts'
import { hardToFind, memberSpelling } from './advice.ts'
import { agentId } from './agent-id.ts'
import { language, noTask, rateLimit } from './constraints.ts'
import { emptyMember, revocation } from './emptiness.ts'
import { endpointMethod, noMethods } from './endpoint-methods.ts'
import { endpointAuth, endpointProtocol } from './endpoint-protocol.ts'
import { cleartext, endpointScheme, endpointUri } from './endpoint-uris.ts'
import { extensionNamespace } from './extensions.ts'
import { did, version } from './identity.ts'
import { futureTime, noCreation, timeOrder } from './metadata.ts'
import { placeholder } from './placeholder.ts'
import { scriptEndpoint } from './script-endpoint.ts'
import { privateHost, secret } from './security.ts'
import { noSeq, seq } from './seq.ts'
import { noSignature } from './signature.ts'
import { duplicateSkill, skillCategory, skillForm, skillPath, skillSpelling } from './skills.ts'
import { duplicateTool, toolName, toolSchema } from './tools.ts'

/** Every card rule except those that the schema checks. */
export const RULES: readonly Rule<Card>[] = [
  agentId,
  seq,
  version,
  did,
  toolName,
  duplicateTool,
  toolSchema,
  endpointProtocol,
  endpointUri,
  endpointScheme,
  scriptEndpoint,
  endpointMethod,
  noMethods,
  endpointAuth,
  cleartext,
  skillPath,
  skillForm,
  skillCategory,
  skillSpelling,
  duplicateSkill,
  language,
  rateLimit,
  noTask,
  extensionNamespace,
  noCreation,
  timeOrder,
  futureTime,
  noSeq,
  noSignature,
  revocation,
  emptyMember,
  hardToFind,
  memberSpelling,
  privateHost,
  secret,
  placeholder,
]
