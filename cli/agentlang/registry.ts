// Registries of agents, and publishing to them.
import { resolve } from 'node:path'
import { buildContainer } from '../../bindings/agentlang/build.ts'
import { diagnoseNowhere } from '../../bindings/document/diagnose.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { openRegistry, parsePlace, publishContainer, type RegistryError } from '../../bindings/host/registry/client.ts'
import type { GuardedInit } from '../../bindings/net/fetch.ts'
import { isLoopback } from '../../bindings/net/guard.ts'
import type { Tools } from '../command.ts'
import { FETCH_DIRECTORY, PUBLISH_REFUSED, REGISTRY_LOGIN } from '../findings.ts'
import { given } from '../given.ts'
import { readKey, secretBytes, signedWith } from '../keys.ts'
import type { Values } from '../options.ts'
import type { Outcome, Result } from '../outcome.ts'
import { UsageError } from '../usage.ts'
import { epochOf, loadAgent, readIndex } from './folder.ts'
import { layoutOf, openLayout } from './layout.ts'
import { type LOGIN, LOGIN_VARIABLE } from './options.ts'
import { readAgentSecret } from './secret.ts'

/** Returns what opens repositories at an origin, with the login of the user. */
export async function registryAt(origin: string, options: Values<typeof LOGIN>, tools: Tools) {
  const { host } = tools
  const source = options.login ?? (host.env[LOGIN_VARIABLE] ? `env:${LOGIN_VARIABLE}` : undefined)
  const text = source && new TextDecoder().decode(await secretBytes('login', source, tools)).trim()
  const [, user, password] = /^([^:]+):(.+)$/.exec(text ?? '') ?? []
  if (text !== undefined && user === undefined)
    throw new UsageError('invalid-value', `--login: ${source} is not USER:PASSWORD`, 'separate the two with a colon')
  const login = user !== undefined && password !== undefined ? { user, password } : undefined
  // The user named this server. Others are the choice of the server, and must be public.
  const isNamed = (url: string) => new URL(url).origin === origin || isLoopback(new URL(url).hostname)
  const fetch = (url: string, init: GuardedInit) => (isNamed(url) ? host.send(url, init) : host.fetch(url, init))
  const asked = { fetch, loginHosts: options['login-host'], ...given({ login }) }
  return (repository: string) => openRegistry({ origin, repository }, asked)
}

const LOG_IN = `give USER:PASSWORD by ${LOGIN_VARIABLE} or --login, and a token server that you trust by --login-host`

/** Why a container was not pulled, or not published when `refused` is that finding. */
export function faultDiagnostic(file: string, { kind, message }: RegistryError, refused = FETCH_DIRECTORY): Diagnostic {
  const [rule, fix] =
    kind === 'login'
      ? [REGISTRY_LOGIN, { hint: LOG_IN }]
      : [['unreachable', 'missing', 'invalid'].includes(kind) ? FETCH_DIRECTORY : refused]
  return diagnoseNowhere(rule, { detail: message, fix }, file)
}

type PublishOptions = Values<typeof LOGIN> & {
  readonly [Name in 'key' | 'secret' | 'index']: string | undefined
} & { readonly 'dry-run': boolean }

/** Publishes containers, and agents in folders as their lockfiles have them. */
export async function publishAgents(
  registry: string,
  [names, options]: readonly [readonly string[], PublishOptions],
  tools: Tools,
): Promise<Outcome> {
  const layout = layoutOf(registry)
  const place = layout === undefined ? parsePlace(registry) : { origin: registry, repository: '' }
  if (place === undefined)
    throw new UsageError(
      'invalid-value',
      `--registry: expected a host or oci:FOLDER, got "${registry}"`,
      'as in registry.example.com',
    )
  const { secret } = await readAgentSecret(options.secret, tools)
  const opened = { prefix: place.repository, ...given({ secret }) }
  const openAt = layout === undefined ? await registryAt(place.origin, options, tools) : () => openLayout(layout, tools)
  const open = options['dry-run'] ? undefined : openAt
  const results: Result[] = []
  for (const name of names) {
    const [file, bytes, faults] = await containerOf(name, { ...options, secret }, tools)
    const { fault, ...sent } = bytes ? await publishContainer(bytes, { ...opened, ...given({ open }) }) : {}
    const diagnostics = fault === undefined ? faults : [faultDiagnostic(file, fault, PUBLISH_REFUSED)]
    results.push({ file, kind: 'container', valid: bytes !== undefined && fault === undefined, diagnostics, ...sent })
    const at = layout === undefined ? `${new URL(place.origin).host}/${sent.repository}` : registry
    if ('digest' in sent) tools.print(`${at}:${sent.tag}@${sent.digest}\n`)
  }
  const old = results.filter(({ isNew }) => isNew === false).length
  const published = results.filter(({ valid }) => valid).length - old
  const verb = options['dry-run'] ? 'would be sent' : 'published'
  const there = old === 0 ? '' : `; ${old} ${old === 1 ? 'is' : 'are'} there already`
  return { results, notes: [`${published} of ${names.length} ${verb} at ${place.origin}${there}`] }
}

async function containerOf(
  name: string,
  { key, secret, index }: Pick<PublishOptions, 'key' | 'secret' | 'index'>,
  tools: Tools,
): Promise<readonly [string, Uint8Array | undefined, Result['diagnostics']]> {
  const isFolder = (await tools.host.list(resolve(tools.host.cwd, name))) !== undefined
  if (!isFolder) return [name, (await tools.reader.bytes(name)).bytes, []]
  if (key === undefined)
    throw new UsageError('missing-option', `publish needs --key to build ${name}`, 'or publish a container')
  const { file, loaded } = await loadAgent([name], tools)
  const asked = { key: await readKey(key, tools), index: await readIndex({ index, folder: name }, tools), secret }
  const built = await signedWith(
    buildContainer(loaded, { frozen: true, ...epochOf(tools.host), ...given(asked), key: asked.key }),
  )
  return [file, built.bytes, built.diagnostics]
}
