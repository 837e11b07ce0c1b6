import { canonicalize } from '../../bindings/core/json.ts'
import { KeyError } from '../../bindings/keys/base64.ts'
import { generateKey } from '../../bindings/keys/generate.ts'
import { ALGORITHMS, type Algorithm, NAMES } from '../../bindings/keys/key.ts'
import { signBytes } from '../../bindings/keys/sign.ts'
import { verifyBytes } from '../../bindings/keys/verify.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { abiVersion } from '../../bindings/wasm/number.ts'
import { answer, defineCommand, EXIT, UsageError } from '../command.ts'
import type { Host, Runtime } from '../host.ts'
import { readConfiguration } from '../validate/configuration.ts'

export const command = defineCommand({
  options: {},
  operands: [],
  async run({ host, print }) {
    const checks = await checkHost(host)
    print(checks.map(checkLine).join(''))
    const problem = checks.find(({ outcome }) => outcome === 'problem')
    return {
      results: [{ ...answer({ doctor: checks }), valid: problem === undefined }],
      ...(problem && { exit: EXIT.findings, reason: `${problem.title}: ${problem.detail}` }),
    }
  },
})

function checkLine({ outcome, title, detail, hint }: Check): string {
  const way = hint === undefined ? '' : `; ${hint}`
  return `${outcome.padEnd(7)}  ${title}: ${visible(`${detail}${way}`)}\n`
}

/** `limited`: features that need it are refused or skipped here. `problem`: something is wrong. */
export interface Check {
  /** Stable: `signature-Ed448`. */
  readonly name: string
  readonly title: string
  readonly outcome: 'ok' | 'limited' | 'problem'
  readonly detail: string
  readonly hint?: string
}

// The checks of this host. They make no network requests.

/** The same version as under `engines` in package.json. */
const LEAST_NODE = [20, 19] as const
/** The version of the core's interface that these bindings expect. */
const ABI = 2

async function checkHost(host: Host): Promise<readonly Check[]> {
  const runtime = host.runtime()
  return [
    checkRuntime(host, runtime),
    checkCore(),
    await checkConfiguration(host),
    ...(await checkSignatures()),
    checkAddresses(host),
    checkNames(runtime),
    ...checkTls(host, runtime),
  ]
}

function checkRuntime({ version }: Host, { name, version: own, platform }: Runtime): Check {
  const detail = `${name} ${own} on ${platform}, with blazon ${version}`
  const row = { name: 'runtime', title: 'Runtime' }
  const [major = 0, minor = 0] = own.split('.').map(Number)
  const isOld = name === 'Node' && (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]))
  if (!isOld) return { ...row, outcome: 'ok', detail }
  return { ...row, outcome: 'problem', detail, hint: `Node ${LEAST_NODE.join('.')} or later is needed` }
}

function checkCore(): Check {
  const abi = abiVersion()
  const row = { name: 'core', title: 'Core' }
  const canonical = new TextDecoder().decode(canonicalize('{"b": 1.0, "a": "\\u0041"}'))
  if (abi === ABI && canonical === '{"a":"A","b":1}') {
    return {
      ...row,
      outcome: 'ok',
      detail: `its interface is version ${abi}; blazon selftest runs the published vectors`,
    }
  }
  const detail = `expected interface ${ABI} and {"a":"A","b":1}, found ${abi} and ${canonical}`
  return { ...row, outcome: 'problem', detail, hint: 'reinstall the package: its module is of another version' }
}

async function checkConfiguration(host: Host): Promise<Check> {
  const row = { name: 'configuration', title: 'Configuration' }
  try {
    const { path } = await readConfiguration(undefined, host)
    const detail = path ?? 'none: no blazon.config.json or .yaml here or above'
    return { ...row, outcome: 'ok', detail }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { ...row, outcome: 'problem', detail: error.message, hint: error.hint }
  }
}

function checkAddresses({ fetch }: Host): Check {
  const row = { name: 'addresses', title: 'Address guard' }
  if (fetch.checksAddresses)
    return { ...row, outcome: 'ok', detail: 'names are looked up once, and only public addresses are connected to' }
  return { ...row, outcome: 'limited', detail: 'the addresses of names cannot be seen here: only names are checked' }
}

function checkNames({ nameServers }: Runtime): Check {
  const row = { name: 'dns', title: 'Name servers' }
  if (nameServers.length > 0) return { ...row, outcome: 'ok', detail: `${nameServers.join(', ')} (not asked)` }
  const hint = 'only --resolve, --allow-network, probe, publish and search need them'
  return { ...row, outcome: 'limited', detail: 'none configured: names cannot be looked up', hint }
}

function checkTls({ env }: Host, { leastTls }: Runtime): readonly Check[] {
  const row = { name: 'tls', title: 'TLS' }
  const isOld = ['TLSv1', 'TLSv1.1'].includes(leastTls)
  const least: Check = isOld
    ? {
        ...row,
        outcome: 'problem',
        detail: `${leastTls} is accepted`,
        hint: 'start Node without --tls-min-v1.0 and v1.1',
      }
    : { ...row, outcome: 'ok', detail: `${leastTls.replace('v', ' ')} or later` }
  const certificates = { name: 'certificates', title: 'Certificates' }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    const detail = 'NODE_TLS_REJECT_UNAUTHORIZED=0: servers are not authenticated'
    return [
      least,
      { ...certificates, outcome: 'problem', detail, hint: 'unset it; NODE_EXTRA_CA_CERTS adds authorities' },
    ]
  }
  const more = env['NODE_EXTRA_CA_CERTS']
  const detail = more ? `those of the runtime and of ${more}` : 'those of the runtime'
  return [least, { ...certificates, outcome: 'ok', detail }]
}

// Tests which signatures can be made and verified here.

const MESSAGE = new TextEncoder().encode('blazon doctor')
const HINT = 'a newer Node, or one with a complete OpenSSL, has it'

const checkSignatures = (): Promise<readonly Check[]> => Promise.all(NAMES.map(checkAlgorithm))

async function checkAlgorithm(algorithm: Algorithm): Promise<Check> {
  const row = { name: `signature-${algorithm}`, title: algorithm }
  try {
    const key = await generateKey(algorithm, ALGORITHMS[algorithm].kind === 'RSA' ? { modulusLength: 2048 } : {})
    const signature = await signBytes({ algorithm, privateKey: key, message: MESSAGE })
    const isValid = await verifyBytes({ algorithm, publicKey: key.publicKey, message: MESSAGE, signature })
    const isForged = await verifyBytes({ algorithm, publicKey: key.publicKey, message: MESSAGE.slice(1), signature })
    if (isValid && !isForged) return { ...row, outcome: 'ok', detail: 'makes keys, signs and verifies' }
    return { ...row, outcome: 'problem', detail: 'a new signature gets the wrong verdict', hint: HINT }
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    return { ...row, outcome: 'limited', detail: `${error.message} (${error.code})`, hint: HINT }
  }
}
