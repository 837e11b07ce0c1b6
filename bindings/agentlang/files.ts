// The names of an agent's files, and how many there may be.
export const AGENT_FILE = 'agent.yaml'
export const LOCK_FILE = 'agent.lock'
/** The index of tools and models next to agent.yaml. */
export const INDEX_FILE = 'tools.json'
export const UX_FILE = 'ux.yaml'

export const MOST_FILES = 10_000
export const MOST_BYTES = 64 << 20
