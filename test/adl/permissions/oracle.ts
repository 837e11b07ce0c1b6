// A second implementation of decisions, directly from the words of ADL 4.4 and 9: slow, simple, and independent of the
// engine.
import { BlockList, isIP } from 'node:net'
import { posix } from 'node:path'
import { domainToASCII } from 'node:url'
import type { PermissionRequest } from '../../../bindings/policy/request.ts'

// biome-ignore lint/suspicious/noExplicitAny: untrusted documents
type Json = any

/** `*`: zero or more characters. */
function star(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*') return star(pattern.slice(1), text) || (text !== '' && star(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && star(pattern.slice(1), text.slice(1))
}

/**
 * Matches segment by segment. `**` stands for zero or more segments, and at the end, after its separator, for at least
 * one.
 */
function segments(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return text.length === 0
  if (first === '**' && rest.length === 0) return text.length > 0
  if (first === '**') return segments(rest, text) || (text.length > 0 && segments(pattern, text.slice(1)))
  return text.length > 0 && star(first, text[0]!) && segments(rest, text.slice(1))
}

function glob(pattern: string, text: string, separator?: string): boolean {
  if (pattern === '*') return true
  if (separator === undefined) return star(pattern, text)
  return segments(pattern.split(separator), text.split(separator))
}

const NOT_GLOBAL = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.2.0/24 192.168.0.0/16',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 192.0.0.0/29 192.88.99.0/24',
]
  .join(' ')
  .split(' ')) {
  const [address, length] = range.split('/') as [string, string]
  NOT_GLOBAL.addSubnet(address, Number(length))
}
for (const range of ['::/128', '::1/128', 'fe80::/10', 'fc00::/7', 'ff00::/8', '2001:db8::/32', 'fec0::/10']) {
  const [address, length] = range.split('/') as [string, string]
  NOT_GLOBAL.addSubnet(address, Number(length), 'ipv6')
}

function isPrivate(address: string): boolean {
  return NOT_GLOBAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function network(rules: Json, { host, port, protocol, address }: Json): boolean {
  const name = isIP(host) === 6 ? host : domainToASCII(host.replace(/\.$/, ''))
  if (!(rules.allowed_hosts ?? []).some((pattern: string) => glob(pattern.toLowerCase(), name, '.'))) return false
  if (rules.allowed_ports !== undefined && !rules.allowed_ports.includes(port)) return false
  if (rules.allowed_protocols !== undefined && !rules.allowed_protocols.includes(protocol?.toLowerCase())) return false
  if (rules.deny_private !== true) return true
  if (isIP(name) ? isPrivate(name) : /(^|\.)(localhost|local|internal)$/.test(name)) return false
  return address === undefined || !isPrivate(address)
}

function filesystem(rules: Json, { path, access }: Json): boolean {
  if (!posix.isAbsolute(path)) return false
  const plain = posix.resolve(path)
  const directory = /(^|\/)\.{0,2}$/.test(path) && plain !== '/'
  const spellings = directory ? [plain, `${plain}/`] : [plain]
  const matches = (pattern: string) => spellings.some((spelling) => glob(pattern, spelling, '/'))
  if ((rules.denied_paths ?? []).some(matches)) return false
  const granted = (wanted: string) =>
    (rules.allowed_paths ?? []).some(
      (entry: Json) => [wanted, 'read_write'].includes(entry.access) && matches(entry.path),
    )
  return access === 'read_write' ? granted('read') && granted('write') : granted(access)
}

const SHELLS = ['sh', 'bash', 'zsh']

function execution(rules: Json, { command, shell }: Json): boolean {
  const base = posix.basename(command)
  const known = command.startsWith('/') ? [base, posix.resolve(command)] : [base, command]
  if ([command, ...known].some((name) => rules.denied_commands?.some((pattern: string) => glob(pattern, name))))
    return false
  if (rules.allow_shell !== true && (shell === true || SHELLS.includes(base))) return false
  return known.some((name) => rules.allowed_commands?.some((pattern: string) => glob(pattern, name)))
}

function resource(rules: Json, { memoryMb = 0, cpuPercent = 0, durationSec = 0, concurrent = 0 }: Json): boolean {
  const { max_memory_mb, max_cpu_percent, max_duration_sec, max_concurrent } = rules
  const within = (asked: number, limit: number | undefined) => limit === undefined || asked <= limit
  return (
    within(memoryMb, max_memory_mb) &&
    within(cpuPercent, max_cpu_percent) &&
    within(durationSec, max_duration_sec) &&
    within(concurrent, max_concurrent)
  )
}

/** Whether a well-formed document allows a request. */
export function oracle(document: Json, request: PermissionRequest): boolean {
  if (request.domain === 'tool') {
    const tool = document.tools?.find(({ name }: Json) => name === request.name)
    return tool !== undefined && (tool.requires_confirmation !== true || request.confirmed === true)
  }
  const rules = document.permissions?.[request.domain === 'resource' ? 'resource_limits' : request.domain]
  if (rules === undefined) return false
  switch (request.domain) {
    case 'network':
      return network(rules, request)
    case 'filesystem':
      return filesystem(rules, request)
    case 'environment': {
      const matches = (pattern: string) => glob(pattern, request.variable)
      return (rules.allowed_variables ?? []).some(matches) && !(rules.denied_variables ?? []).some(matches)
    }
    case 'execution':
      return execution(rules, request)
    case 'resource':
      return resource(rules, request)
  }
}
