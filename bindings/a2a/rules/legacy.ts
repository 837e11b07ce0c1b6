// Members from other versions of A2A, reported with their replacement in this version.
import type { Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import type { A2aCard } from '../a2a-card.ts'
import { A2A_OLDER_MEMBER } from '../findings.ts'

/** Members of 0.3 and earlier, with their replacement in 1.0. */
const IN_CURRENT: Readonly<Record<string, string>> = {
  url: '1.0 says it as supportedInterfaces[].url; a server gives each client its version by the header A2A-Version',
  preferredTransport: '1.0 says it as protocolBinding of the first of supportedInterfaces',
  additionalInterfaces: '1.0 lists every interface in supportedInterfaces',
  protocolVersion: '1.0 says it as supportedInterfaces[].protocolVersion',
  transport: '1.0 calls it protocolBinding',
  security: '1.0 calls it securityRequirements: [{"schemes": {"name": {"list": ["scope"]}}}]',
  supportsAuthenticatedExtendedCard: '1.0 says it as capabilities.extendedAgentCard',
  stateTransitionHistory: '1.0 has taken it out',
  authentication: '1.0 says it by securitySchemes and securityRequirements',
  protocol: '1.0 says it as supportedInterfaces[].protocolVersion',
  endpoints: '1.0 lists them in supportedInterfaces',
  type: '1.0 has one member instead, such as apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme',
  in: '1.0 calls it location',
}

/** Root members from before 0.3, with their replacement in 0.3. */
const IN_OLDER: Readonly<Record<string, string>> = {
  authentication: '0.3 says it by securitySchemes and security',
  protocol: '0.3 says it as protocolVersion: "0.3.0"',
  endpoints: '0.3 has url and additionalInterfaces',
}

/** For 0.3 cards, whose objects allow any member. */
export const olderMember: Rule<A2aCard> = {
  ...A2A_OLDER_MEMBER,
  check({ root, version }, report) {
    if (version === '1.0') return
    for (const [name, hint] of Object.entries(IN_OLDER)) {
      if (!Object.hasOwn(root.value, name)) continue
      report(`/${name}`, `${quoted(name)} is of A2A before 0.3: ${hint}`, { atName: true, fix: { hint } })
    }
  },
}

/** The replacement in 1.0 of a member of 0.3. Undefined for other names. */
export function replacement(name: string): string | undefined {
  return Object.hasOwn(IN_CURRENT, name) ? IN_CURRENT[name] : undefined
}
