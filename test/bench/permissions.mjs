// Decisions by a compiled policy against the same rules in plain JavaScript: regular expressions, sets and node:path.
import { posix } from 'node:path'
import { compile } from 'blazon/adl'

export const title = 'Permissions'

export const notes = [
  'The peer trusts its caller: it ignores unknown members, odd spellings of hosts and paths, Windows, and the deciding value.' +
    ' A policy has to make a million decisions a second.',
]

const PERMISSIONS = {
  network: {
    allowed_hosts: ['api.acme.example.com', '*.storage.example.com'],
    allowed_ports: [443],
    allowed_protocols: ['https'],
    deny_private: true,
  },
  filesystem: {
    allowed_paths: [
      { path: '/data/invoices/**', access: 'read' },
      { path: '/tmp/processing/**', access: 'read_write' },
    ],
    denied_paths: ['/tmp/processing/**/secrets'],
  },
  environment: { allowed_variables: ['APP_*', 'INVOICE_*'], denied_variables: ['APP_SECRET_*'] },
  execution: { allowed_commands: ['python3', 'jq'], allow_shell: false },
  resource_limits: { max_memory_mb: 512, max_cpu_percent: 25, max_duration_sec: 300 },
}

const web = { domain: 'network', port: 443, protocol: 'https' }
const REQUESTS = [
  { ...web, host: 'api.acme.example.com' },
  { ...web, host: 'eu-west-1.storage.example.com' },
  { ...web, host: 'www.example.org' },
  { ...web, host: 'api.acme.example.com', port: 80 },
  { domain: 'filesystem', path: '/data/invoices/2026/02/17.pdf', access: 'read' },
  { domain: 'filesystem', path: '/data/invoices/2026/02/17.pdf', access: 'write' },
  { domain: 'filesystem', path: '/tmp/processing/batch-7/out.json', access: 'read_write' },
  { domain: 'filesystem', path: '/tmp/processing/batch-7/secrets', access: 'read' },
  { domain: 'environment', variable: 'APP_PORT' },
  { domain: 'environment', variable: 'APP_SECRET_KEY' },
  { domain: 'environment', variable: 'PATH' },
  { domain: 'execution', command: 'python3' },
  { domain: 'execution', command: 'bash' },
  { domain: 'resource', memoryMb: 256, cpuPercent: 20 },
]
const ROUNDS = 1000

/** Patterns of ADL 4.4 as regular expressions. */
function toRegExp(pattern, separator, flags = '') {
  const body = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\/\*\*\//g, '\u0001')
    .replace(/\*\*$/, '\u0002')
    .replaceAll('*', separator === undefined ? '.*' : `[^${separator}]*`)
    .replaceAll('\u0001', '\\/(?:.*\\/)?')
    .replace('\u0002', '.*')
  return new RegExp(`^${body}$`, flags)
}

const some = (expressions, text) => expressions.some((expression) => expression.test(text))

/** What one would write for these permissions in an afternoon: hosts as they come, no Windows, no odd spellings. */
function plainPolicy({ network, filesystem, environment, execution, resource_limits: limits }) {
  const hosts = network.allowed_hosts.map((pattern) => toRegExp(pattern, '.', 'i'))
  const [ports, protocols] = [new Set(network.allowed_ports), new Set(network.allowed_protocols)]
  const inside = /^(10\.|127\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)|(^|\.)(localhost|local|internal)$/
  const granting = (right) =>
    filesystem.allowed_paths.filter(({ access }) => access.includes(right)).map(({ path }) => toRegExp(path, '/'))
  const [readable, writable] = [granting('read'), granting('write')]
  const deniedPaths = filesystem.denied_paths.map((path) => toRegExp(path, '/'))
  const allowed = environment.allowed_variables.map((pattern) => toRegExp(pattern))
  const denied = environment.denied_variables.map((pattern) => toRegExp(pattern))
  const commands = execution.allowed_commands.map((pattern) => toRegExp(pattern))
  const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'cmd', 'powershell', 'pwsh'])
  const decide = {
    network: ({ host, port, protocol }) =>
      some(hosts, host) && ports.has(port) && protocols.has(protocol) && !inside.test(host),
    filesystem({ path, access }) {
      const resolved = posix.normalize(path)
      if (!posix.isAbsolute(resolved) || some(deniedPaths, resolved)) return false
      return (access === 'write' || some(readable, resolved)) && (access === 'read' || some(writable, resolved))
    },
    environment: ({ variable }) => !some(denied, variable) && some(allowed, variable),
    execution({ command }) {
      const base = posix.basename(command)
      return !shells.has(base) && (some(commands, base) || some(commands, command))
    },
    resource: ({ memoryMb = 0, cpuPercent = 0, durationSec = 0 }) =>
      memoryMb <= limits.max_memory_mb &&
      cpuPercent <= limits.max_cpu_percent &&
      durationSec <= limits.max_duration_sec,
  }
  return (request) => decide[request.domain](request)
}

function countAllowed(allows) {
  let allowed = 0
  for (let i = 0; i < ROUNDS; i++) for (const request of REQUESTS) if (allows(request)) allowed++
  return allowed
}

export function cases() {
  const policy = compile({ permissions: PERMISSIONS })
  const plain = plainPolicy(PERMISSIONS)
  const mixed = {
    name: `${ROUNDS * REQUESTS.length} decisions, all domains`,
    ours: () => countAllowed((request) => policy.allows(request)),
    peers: { 'RegExp, Set, path.normalize': () => countAllowed(plain) },
    check() {
      for (const request of REQUESTS) {
        if (policy.allows(request) !== plain(request))
          throw new Error(`not the same answer: ${JSON.stringify(request)}`)
      }
    },
  }
  const each = {
    name: 'one decision of allows, the mean over all domains',
    unit: ' ns',
    atMost: 1000,
    aim: 500,
    async measure() {
      for (let i = 0; i < 20; i++) countAllowed((request) => policy.allows(request))
      const times = Array.from({ length: 21 }, () => {
        const start = performance.now()
        countAllowed((request) => policy.allows(request))
        return performance.now() - start
      }).sort((a, b) => a - b)
      return (times[10] * 1e6) / (ROUNDS * REQUESTS.length)
    },
  }
  return [mixed, each]
}
