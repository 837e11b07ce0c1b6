/** The identifier of an agent (ADP/1.1 section 2): `agent:` and its domain. */
export const agentUri = (domain: string): string => `agent:${domain}`
