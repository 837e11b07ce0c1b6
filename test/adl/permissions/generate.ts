// Documents and requests from a small vocabulary, so that they relate to each other.
import fc from 'fast-check'
import type { PermissionRequest } from '../../../bindings/policy/request.ts'

const optional = { requiredKeys: [] }
const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 4 })

/** Sometimes replaces a part, or some of its characters, with a wildcard. */
const withStars = (part: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 4, arbitrary: part },
    { weight: 2, arbitrary: fc.constant('*') },
    { weight: 1, arbitrary: part.map((text) => `${text.slice(0, 1)}*`) },
    { weight: 1, arbitrary: part.map((text) => `*${text.slice(-1)}`) },
  )

const label = fc.constantFrom('a', 'ab', 'b', 'api', 'local', 'internal', 'com')
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'))
const address = fc.oneof(
  fc.constantFrom(
    '127.0.0.1',
    '10.0.0.1',
    '8.8.8.8',
    '172.16.9.9',
    '192.168.0.1',
    '::1',
    'fe80::1',
    '2606:4700::1',
    'fd00::1',
  ),
  fc.ipV4(),
)
const hostPattern = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(withStars(label), { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
  },
  { weight: 1, arbitrary: fc.constant('*') },
  { weight: 1, arbitrary: address },
)
const host = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 1, arbitrary: name.map((text) => `${text.toUpperCase()}.`) },
  { weight: 1, arbitrary: fc.constant('localhost') },
  { weight: 2, arbitrary: address },
)
const protocol = fc.constantFrom('https', 'http', 'wss')
const port = fc.constantFrom(80, 443, 8080)

const segment = fc.constantFrom('a', 'b', 'ab', 'data', '.x')
const pathPattern = fc
  .array(fc.oneof({ weight: 5, arbitrary: withStars(segment) }, { weight: 2, arbitrary: fc.constant('**') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => `/${parts.join('/')}`)
const path = fc
  .array(fc.oneof({ weight: 6, arbitrary: segment }, { weight: 2, arbitrary: fc.constantFrom('..', '.', '') }), {
    maxLength: 5,
  })
  .map((parts) => `/${parts.join('/')}`)
const access = fc.constantFrom('read', 'write', 'read_write')

const variable = fc.constantFrom('A', 'APP', 'APP_A', 'APP_SECRET', 'B_A', 'SECRET')
const variablePattern = fc.oneof(variable, fc.constantFrom('*', 'APP_*', '*_A', 'A*', '*SECRET*', 'A*_*T'))

const program = fc.constantFrom('ls', 'jq', 'sh', 'bash', 'lsof', 'shell')
const commandPattern = fc.oneof(program, fc.constantFrom('*', 'ls*', '/bin/*', '*/jq', '/bin/../bin/ls', './ls', 's*'))
const command = fc
  .tuple(fc.constantFrom('', '/bin/', '/usr/bin/', '/bin/../', './', 'x/', '/bin//'), program)
  .map(([folder, file]) => folder + file)

const tool = fc.constantFrom('search', 'pay', 'send')
const amount = fc.constantFrom(0, 1, 10, 99.5, 100)

const permissions = fc.record(
  {
    network: fc.record(
      {
        allowed_hosts: list(hostPattern),
        allowed_ports: list(port),
        allowed_protocols: list(protocol),
        deny_private: fc.boolean(),
      },
      optional,
    ),
    filesystem: fc.record(
      { allowed_paths: list(fc.record({ path: pathPattern, access })), denied_paths: list(pathPattern) },
      optional,
    ),
    environment: fc.record(
      { allowed_variables: list(variablePattern), denied_variables: list(variablePattern) },
      optional,
    ),
    execution: fc.record(
      { allowed_commands: list(commandPattern), denied_commands: list(commandPattern), allow_shell: fc.boolean() },
      optional,
    ),
    resource_limits: fc.record(
      {
        max_memory_mb: amount,
        max_cpu_percent: amount,
        max_duration_sec: amount,
        max_concurrent: fc.constantFrom(1, 5),
      },
      optional,
    ),
  },
  optional,
)

export const documents = fc.record(
  {
    permissions,
    tools: fc.uniqueArray(fc.record({ name: tool, requires_confirmation: fc.boolean() }), {
      selector: ({ name }) => name,
    }),
  },
  optional,
)

export const requests: fc.Arbitrary<PermissionRequest> = fc.oneof(
  fc.record(
    { domain: fc.constant('network' as const), host, port, protocol, address },
    { requiredKeys: ['domain', 'host'] },
  ),
  fc.record({ domain: fc.constant('filesystem' as const), path, access: access as fc.Arbitrary<'read'> }),
  fc.record({ domain: fc.constant('environment' as const), variable }),
  fc.record(
    { domain: fc.constant('execution' as const), command, shell: fc.boolean() },
    { requiredKeys: ['domain', 'command'] },
  ),
  fc
    .record({ memoryMb: amount, cpuPercent: amount, durationSec: amount, concurrent: amount }, optional)
    .map((asked) => ({ domain: 'resource' as const, memoryMb: 1, ...asked })),
  fc.record(
    { domain: fc.constant('tool' as const), name: tool, confirmed: fc.boolean() },
    { requiredKeys: ['domain', 'name'] },
  ),
)
