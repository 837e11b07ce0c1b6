// Written by scripts/findings.mjs from findings.yaml; do not edit.
import type { FindingInfo } from './document/finding.ts'
import * as a2a from './a2a/findings.ts'
import * as adl from './adl/findings.ts'
import * as adlDiscovery from './adl/discovery/findings.ts'
import * as adlProfiles from './adl/profiles/findings.ts'
import * as agentlang from './agentlang/findings.ts'
import * as agentlangAsk from './agentlang/ask/findings.ts'
import * as agentlangContainer from './agentlang/container/findings.ts'
import * as agentlangEvents from './agentlang/events/findings.ts'
import * as agentlangLock from './agentlang/lock/findings.ts'
import * as agentlangRun from './agentlang/run/findings.ts'
import * as agentsMd from './agents-md/findings.ts'
import * as agp from './agp/findings.ts'
import * as aiCatalog from './ai-catalog/findings.ts'
import * as card from './card/findings.ts'
import * as claudeSettings from './claude-settings/findings.ts'
import * as codexConfig from './codex-config/findings.ts'
import * as convert from './convert/findings.ts'
import * as convertRun from './convert/run/findings.ts'
import * as core from './core/findings.ts'
import * as directory from './directory/findings.ts'
import * as discoverCheck from './discover/check/findings.ts'
import * as discoverDns from './discover/dns/findings.ts'
import * as discoverTrace from './discover/trace/findings.ts'
import * as discoverTrust from './discover/trust/findings.ts'
import * as document from './document/findings.ts'
import * as documentToml from './document/toml/findings.ts'
import * as documentYaml from './document/yaml/findings.ts'
import * as frame from './frame/findings.ts'
import * as keys from './keys/findings.ts'
import * as mcpClient from './mcp-client/findings.ts'
import * as mcpServer from './mcp-server/findings.ts'
import * as net from './net/findings.ts'
import * as runsIdentity from './runs/identity/findings.ts'
import * as runsRecord from './runs/record/findings.ts'
import * as runsStream from './runs/stream/findings.ts'
import * as runsVerdict from './runs/verdict/findings.ts'
import * as wellknown from './wellknown/findings.ts'
import * as wellknownInvite from './wellknown/invite/findings.ts'

/** Every finding once, except those of profiles that a caller registers. */
export const catalogue = (): readonly FindingInfo[] => [
  ...a2a.explained(),
  ...adl.explained(),
  ...adlDiscovery.explained(),
  ...adlProfiles.explained(),
  ...agentlang.explained(),
  ...agentlangAsk.explained(),
  ...agentlangContainer.explained(),
  ...agentlangEvents.explained(),
  ...agentlangLock.explained(),
  ...agentlangRun.explained(),
  ...agentsMd.explained(),
  ...agp.explained(),
  ...aiCatalog.explained(),
  ...card.explained(),
  ...claudeSettings.explained(),
  ...codexConfig.explained(),
  ...convert.explained(),
  ...convertRun.explained(),
  ...core.explained(),
  ...directory.explained(),
  ...discoverCheck.explained(),
  ...discoverDns.explained(),
  ...discoverTrace.explained(),
  ...discoverTrust.explained(),
  ...document.explained(),
  ...documentToml.explained(),
  ...documentYaml.explained(),
  ...frame.explained(),
  ...keys.explained(),
  ...mcpClient.explained(),
  ...mcpServer.explained(),
  ...net.explained(),
  ...runsIdentity.explained(),
  ...runsRecord.explained(),
  ...runsStream.explained(),
  ...runsVerdict.explained(),
  ...wellknown.explained(),
  ...wellknownInvite.explained(),
]
