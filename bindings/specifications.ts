// Every specification that Blazon implements, one line each. Checking, signing and verifying are separate lists, so
// that each loads only its own code.
import { A2A_SIGNING } from './a2a/sign.ts'
import { A2A } from './a2a/specification.ts'
import { A2A_VERIFYING } from './a2a/verify.ts'
import { ADL_DISCOVERY } from './adl/discovery/specification.ts'
import { ADL_SIGNING } from './adl/sign.ts'
import { ADL } from './adl/specification.ts'
import { ADL_VERIFYING } from './adl/verify.ts'
import { AI_CATALOG } from './ai-catalog/specification.ts'
import { CARD_SIGNING } from './card/sign.ts'
import { AGENT_CARD } from './card/specification.ts'
import { CARD_VERIFYING } from './card/verify.ts'
import { TRACE } from './discover/trace/specification.ts'
import type { Signing, Verifying } from './frame/signing.ts'
import type { Specification } from './frame/specification.ts'
import { MCP_SERVER } from './mcp-server/specification.ts'
import { INVITE_SIGNING } from './wellknown/invite/sign.ts'
import { INVITE } from './wellknown/invite/specification.ts'
import { INVITE_VERIFYING } from './wellknown/invite/verify.ts'
import { METADATA_SIGNING } from './wellknown/sign.ts'
import { METADATA } from './wellknown/specification.ts'
import { METADATA_VERIFYING } from './wellknown/verifying.ts'

export const CHECKED: readonly Specification[] = [
  ADL,
  ADL_DISCOVERY,
  AGENT_CARD,
  A2A,
  METADATA,
  INVITE,
  TRACE,
  MCP_SERVER,
  AI_CATALOG,
]

export const SIGNED: readonly Signing[] = [ADL_SIGNING, CARD_SIGNING, A2A_SIGNING, METADATA_SIGNING, INVITE_SIGNING]

export const VERIFIED: readonly Verifying[] = [
  ADL_VERIFYING,
  CARD_VERIFYING,
  A2A_VERIFYING,
  METADATA_VERIFYING,
  INVITE_VERIFYING,
]
