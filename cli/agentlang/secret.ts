// The secret of a developer, which encrypts the prompts of containers.
import { readSecret } from '../../bindings/agentlang/container/secret.ts'
import type { Tools } from '../command.ts'
import { secretBytes } from '../keys.ts'
import type { Option } from '../options.ts'
import { UsageError } from '../usage.ts'

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
    throw new UsageError('invalid-value', `--secret: ${source} is not a secret`, MAKE_ONE)
  }
  return { secret }
}

export const missingSecret = (command: string, why: string) =>
  new UsageError('missing-secret', `${command} needs --secret: ${why}`, `it may also be in ${VARIABLE}; ${MAKE_ONE}`)

const MAKE_ONE = 'blazon agent build --new-secret agent.secret makes one'
