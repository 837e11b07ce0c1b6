// Options of several commands, apart from the code that they need.

import { MAKE_SECRET, readSecret } from '../../bindings/agentlang/container/secret.ts'
import { INDEX_FILE } from '../../bindings/agentlang/files.ts'
import { type Option, type Options, type Tools, UsageError } from '../command.ts'
import { secretBytes } from '../keys.ts'

export const LOGIN_VARIABLE = 'BLAZON_REGISTRY_LOGIN'

/** The login of a registry. */
export const LOGIN = {
  login: { value: 'LOGIN', about: `USER:PASSWORD: a file, env:NAME, or - (default env:${LOGIN_VARIABLE})` },
  'login-host': { value: 'HOST', many: true, about: 'a token server that may get the login as well' },
} as const satisfies Options

export const KEY_VARIABLE = 'BLAZON_AGENT_KEY'
export const REGISTRY_VARIABLE = 'BLAZON_REGISTRY'

export const INDEX_VARIABLE = 'BLAZON_INDEX'

export const INDEX = {
  value: 'FILE',
  about: `the JSON file with the tools and models (default: ${INDEX_VARIABLE}, or ${INDEX_FILE} of the folder)`,
} as const satisfies Option

export const FROZEN = { about: 'fail if agent.lock has to change' } as const satisfies Option

export const MODEL_KEY = {
  value: 'TOKEN',
  about: 'the token for chat: a file, env:NAME, or -',
} as const satisfies Option

export const ENV = {
  value: 'NAME',
  many: true,
  about: 'grant this variable of the environment',
} as const satisfies Option

/** The presets are those of bindings/agentlang/ask/hosts.json, which help must not load. */
export const HOST = {
  value: 'HOST',
  about: 'for AgentLang agents: a host file, claude-desktop, replit, desktop, mobile or browser-extension',
} as const satisfies Option

// The secret of a developer, which encrypts the prompts of containers.

const VARIABLE = 'BLAZON_AGENT_SECRET'

export const SECRET = {
  value: 'SECRET',
  about: `the secret of the prompts: a file, env:NAME, or - (default env:${VARIABLE})`,
} as const satisfies Option

/** Reads the secret of --secret, or that of the environment. */
export async function readAgentSecret(name: string | undefined, tools: Tools): Promise<{ readonly secret?: string }> {
  const source = name ?? (tools.host.env[VARIABLE] ? `env:${VARIABLE}` : undefined)
  if (source === undefined) return {}
  const secret = new TextDecoder().decode(await secretBytes('secret', source, tools)).trim()
  try {
    readSecret(secret)
  } catch {
    throw new UsageError('invalid-value', `--secret: ${source} is not a secret`, MAKE_SECRET)
  }
  return { secret }
}

export const missingSecret = (command: string, why: string) =>
  new UsageError('missing-secret', `${command} needs --secret: ${why}`, `it may also be in ${VARIABLE}; ${MAKE_SECRET}`)
