import type { Rule } from '../../frame/rule.ts'
import type { Agent } from '../agent.ts'
import { attestationExpiry } from './attestation-expiry.ts'
import { digestFields } from './digest-fields.ts'
import { floatSigned } from './float-signed.ts'
import { highWaterMark } from './high-water-mark.ts'
import { didSyntax, identityKey, keyAlgorithm, keyEncoding, weakKey } from './identity.ts'
import { jsonSchemas, schemaReferences } from './json-schemas.ts'
import { successorMissing, successorTooEarly, sunsetPast, sunsetSoon } from './lifecycle.ts'
import { mediaTypes } from './media-types.ts'
import { license, tags } from './metadata.ts'
import {
  bareWildcard,
  commandPatterns,
  hostPatterns,
  midWildcard,
  pathPatterns,
  patternCharacters,
  unmatchedPath,
  variablePatterns,
} from './patterns.ts'
import { personalContact } from './personal-contact.ts'
import { placeholder } from './placeholder.ts'
import { privateHosts } from './private-hosts.ts'
import { retention } from './retention.ts'
import { emptyPermissions, schemaMember, thinDescription } from './root-members.ts'
import { secrets } from './secrets.ts'
import { allowShell, shellCommand } from './shell.ts'
import { signatureValues } from './signature-values.ts'
import { specVersion } from './spec-version.ts'
import { promptArgument, templateSyntax, templateUndefined, unusedVariable } from './templates.ts'
import { toolExamples } from './tool-examples.ts'
import { uniquePrompts, uniqueResources, uniqueTools } from './unique-names.ts'
import { uriSchemes } from './uri-schemes.ts'
import { adlUrns, urnPrimary } from './urns.ts'

/** All rules of ADL except those that the schema and the profiles check. */
export const RULES: readonly Rule<Agent>[] = [
  specVersion,
  uniqueTools,
  uniqueResources,
  uniquePrompts,
  jsonSchemas,
  schemaReferences,
  toolExamples,
  hostPatterns,
  pathPatterns,
  variablePatterns,
  commandPatterns,
  digestFields,
  signatureValues,
  retention,
  highWaterMark,
  weakKey,
  attestationExpiry,
  successorTooEarly,
  sunsetPast,
  bareWildcard,
  midWildcard,
  patternCharacters,
  mediaTypes,
  license,
  tags,
  schemaMember,
  thinDescription,
  secrets,
  privateHosts,
  uriSchemes,
  floatSigned,
  shellCommand,
  allowShell,
  personalContact,
  identityKey,
  successorMissing,
  sunsetSoon,
  adlUrns,
  urnPrimary,
  didSyntax,
  templateSyntax,
  templateUndefined,
  promptArgument,
  unusedVariable,
  keyEncoding,
  keyAlgorithm,
  unmatchedPath,
  emptyPermissions,
  placeholder,
]
