// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.
import type { Signing, Verifying } from './frame/signing.ts'
import type { Specification } from './frame/specification.ts'
import { ADL } from './adl/specification.ts'
import { ADL_DISCOVERY } from './adl/discovery/specification.ts'
import { VERDICT } from './runs/verdict/specification.ts'
import { RUN } from './runs/specification.ts'
import { STREAM } from './runs/stream/specification.ts'
import { INVITE } from './wellknown/invite/specification.ts'
import { METADATA } from './wellknown/specification.ts'
import { TRACE } from './discover/trace/specification.ts'
import { A2A } from './a2a/specification.ts'
import { MCP_SERVER } from './mcp-server/specification.ts'
import { AI_CATALOG } from './ai-catalog/specification.ts'
import { CONTAINER } from './agentlang/container/specification.ts'
import { LOCK } from './agentlang/lock/specification.ts'
import { PROMPT } from './agentlang/prompt/specification.ts'
import { SKILL } from './agentlang/skill/specification.ts'
import { UX } from './agentlang/ux/specification.ts'
import { AGENT_CARD } from './card/specification.ts'
import { AGENTLANG } from './agentlang/specification.ts'
import { EVENTS } from './agentlang/events/specification.ts'
import { ADL_SIGNING } from './adl/signing.ts'
import { INVITE_SIGNING } from './wellknown/invite/signing.ts'
import { METADATA_SIGNING } from './wellknown/signing.ts'
import { A2A_SIGNING } from './a2a/signing.ts'
import { CARD_SIGNING } from './card/signing.ts'
import { ADL_VERIFYING } from './adl/signing.ts'
import { INVITE_VERIFYING } from './wellknown/invite/signing.ts'
import { METADATA_VERIFYING } from './wellknown/signing.ts'
import { A2A_VERIFYING } from './a2a/signing.ts'
import { CONTAINER_VERIFYING } from './agentlang/container/verify.ts'
import { CARD_VERIFYING } from './card/signing.ts'

export const CHECKED: readonly Specification[] = [ADL, ADL_DISCOVERY, VERDICT, RUN, STREAM, INVITE, METADATA, TRACE, A2A, MCP_SERVER, AI_CATALOG, CONTAINER, LOCK, PROMPT, SKILL, UX, AGENT_CARD, AGENTLANG, EVENTS]

export const SIGNED: readonly Signing[] = [ADL_SIGNING, INVITE_SIGNING, METADATA_SIGNING, A2A_SIGNING, CARD_SIGNING]

export const VERIFIED: readonly Verifying[] = [ADL_VERIFYING, INVITE_VERIFYING, METADATA_VERIFYING, A2A_VERIFYING, CONTAINER_VERIFYING, CARD_VERIFYING]
