/** The member of a definition that keeps all MCP members without a counterpart. */
export const OWN = 'x_mcp'

/** The URI of a resource without one of its own. */
export const resourceUri = (name: string) => `adl://resource/${encodeURIComponent(name)}`
