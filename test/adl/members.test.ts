// Sections 7 to 12 of ADL: the contents of the members. The expected findings follow the text.
import { describe, expect, test } from 'vitest'
import { findings, told } from './support.ts'

type Row = readonly [title: string, members: object, expected: readonly string[]]

const holds = (rows: readonly Row[]) =>
  test.each(rows)('%s', (_, members, expected) => expect(told(members)).toEqual(expected))

describe('model and prompts', () => {
  const system = (template: string, variables?: object) => ({
    system_prompt: { template, ...(variables && { variables }) },
  })
  const prompt = (members: object) => ({ prompts: [{ name: 'greet', template: 'Hello', ...members }] })

  holds([
    ['[adl/7.1-1] numbers are numbers', { model: { context_window: '200000' } }, ['member-type /model/context_window']],
    [
      '[adl/7.1-1] numbers may be fractions, because the text does not say integers',
      { model: { context_window: 1.5 } },
      [],
    ],
    ['[adl/7.1-1] there is at least one token', { model: { max_tokens: 0 } }, ['number-range /model/max_tokens']],
    ['[adl/7.1-2] temperature may be 0', { model: { temperature: 0 } }, []],
    ['[adl/7.1-2] temperature may be 2.0', { model: { temperature: 2.0 } }, []],
    ['[adl/7.1-2] temperature above', { model: { temperature: 2.0000001 } }, ['VAL-15 /model/temperature']],
    ['[adl/7.1-2] temperature below', { model: { temperature: -0.1 } }, ['VAL-15 /model/temperature']],
    [
      '[adl/7.1-3] there are four capabilities',
      { model: { capabilities: ['vision', 'sight'] } },
      ['VAL-20 /model/capabilities/1'],
    ],
    ['[adl/7.2-20] a system prompt is a text', { system_prompt: 'You help.' }, []],
    ['[adl/7.2-20] a system prompt is not empty', { system_prompt: '' }, ['empty-value /system_prompt']],
    [
      '[adl/7.2-20] a system prompt that is an object has a template',
      { system_prompt: {} },
      ['missing-member /system_prompt'],
    ],
    [
      '[adl/7.2-20] a system prompt has no other type',
      { system_prompt: ['You help.'] },
      ['member-type /system_prompt'],
    ],
    ['[adl/7.2-21] a reference has its variable', system('You help {{company}}.', { company: 'A' }), []],
    [
      '[adl/7.2-21] a reference without its variable is an error',
      system('You help {{company}}.', {}),
      ['template-undefined /system_prompt/template'],
    ],
    [
      '[adl/7.2-21] each undefined name is reported once',
      system('{{a}} {{b}} {{a}}'),
      ['template-undefined /system_prompt/template', 'template-undefined /system_prompt/template'],
    ],
    [
      '[adl/7.2-21] inherited members are not variables',
      system('{{constructor}}', {}),
      ['template-undefined /system_prompt/template'],
    ],
    [
      '[adl/7.2-22] an invalid reference is located',
      system('You help {{1st}}.', {}),
      ['template-syntax /system_prompt/template'],
    ],
    ['[adl/7.2-22] escaped braces are text', system('Write \\{{name}}.', {}), []],
    [
      'a value that no reference uses is reported',
      system('You help.', { company: 'A' }),
      ['unused-variable /system_prompt/variables/company'],
    ],
    [
      '[adl/8.3-4] a prompt has a name and a template',
      { prompts: [{}] },
      ['missing-member /prompts/0', 'missing-member /prompts/0'],
    ],
    [
      '[adl/8.3-5] names are unique',
      {
        prompts: [
          { name: 'a', template: 'x' },
          { name: 'a', template: 'y' },
        ],
      },
      ['VAL-04 /prompts/1/name'],
    ],
    [
      '[adl/8.3-6] references have the syntax of variables',
      prompt({ template: '{{a-b}}' }),
      ['template-syntax /prompts/0/template'],
    ],
    ['a reference is an argument', prompt({ template: '{{a}}', arguments: { properties: { a: {} } } }), []],
    [
      'a reference that is not an argument is reported',
      prompt({ template: '{{a}}', arguments: { properties: { b: {} } } }),
      ['prompt-argument /prompts/0/template', 'unused-variable /prompts/0/arguments/properties/b'],
    ],
    [
      'a reference without any arguments is reported',
      prompt({ template: '{{a}}' }),
      ['prompt-argument /prompts/0/template'],
    ],
    [
      'composed arguments are not judged',
      prompt({ template: '{{a}}', arguments: { allOf: [{ properties: { a: {} } }] } }),
      [],
    ],
    [
      '[adl/8.3-7] arguments are a JSON Schema',
      prompt({ arguments: { type: 5 } }),
      ['VAL-07 /prompts/0/arguments/type'],
    ],
  ])
})

describe('tools and resources', () => {
  const tool = (members: object) => ({ tools: [{ name: 'add', description: 'Adds two numbers.', ...members }] })
  const resource = (members: object) => ({ resources: [{ name: 'docs', type: 'file', ...members }] })

  holds([
    [
      '[adl/8.1-1] a tool has a name and a description',
      { tools: [{}] },
      ['missing-member /tools/0', 'missing-member /tools/0'],
    ],
    ['[adl/8.1-1] a tool is an object', { tools: ['add'] }, ['member-type /tools/0']],
    [
      '[adl/8.1-2] names are unique',
      { tools: ['a', 'b', 'a'].map((name) => ({ name, description: 'Does it.' })) },
      ['VAL-02 /tools/2/name'],
    ],
    ['[adl/8.1-3] names begin with a letter', tool({ name: '1st' }), ['VAL-13 /tools/0/name']],
    ['[adl/8.1-3] names begin with a lowercase letter', tool({ name: 'Add' }), ['VAL-13 /tools/0/name']],
    ['[adl/8.1-3] names have no hyphen', tool({ name: 'add-two' }), ['VAL-13 /tools/0/name']],
    ['[adl/8.1-3] names are not empty', tool({ name: '' }), ['VAL-13 /tools/0/name']],
    [
      '[adl/8.1-4] parameters are a JSON Schema',
      tool({ parameters: { properties: { a: { type: 'numbr' } } } }),
      ['VAL-07 /tools/0/parameters/properties/a/type'],
    ],
    ['[adl/8.1-4] returns are a JSON Schema', tool({ returns: { minimum: '0' } }), ['VAL-07 /tools/0/returns/minimum']],
    [
      '[adl/8.1-4] references point at existing places',
      tool({ parameters: { $ref: '#/$defs/none' } }),
      ['VAL-07 /tools/0/parameters/$ref'],
    ],
    [
      '[adl/8.1-4] references to other documents are reported',
      tool({ parameters: { $ref: 'https://example.com/s.json#/$defs/a' } }),
      ['schema-reference /tools/0/parameters/$ref'],
    ],
    [
      '[adl/8.1-4] required names are properties, in the schemas of properties and items as well',
      tool({
        parameters: {
          properties: {
            to: { properties: { a: {} }, required: ['b'] },
            all: { items: { properties: {}, required: ['c'] } },
          },
          required: ['to', 'too'],
        },
        returns: { properties: {}, required: ['x'], allOf: [{ properties: { x: {} } }] },
      }),
      [
        'schema-required /tools/0/parameters/properties/to/required/0',
        'schema-required /tools/0/parameters/properties/all/items/required/0',
        'schema-required /tools/0/parameters/required/1',
      ],
    ],
    [
      '[adl/8.1-4] references do not lead back to themselves',
      tool({ parameters: { $ref: '#' } }),
      ['VAL-07 /tools/0/parameters/$ref'],
    ],
    ['[adl/8.1-5] examples are objects', tool({ examples: ['1'] }), ['member-type /tools/0/examples/0']],
    [
      '[adl/8.1-5] examples have an object as input',
      tool({ parameters: { type: 'object' }, examples: [{ input: 1, output: null }] }),
      ['member-type /tools/0/examples/0/input'],
    ],
    ['examples fit the parameters', tool({ parameters: { required: ['a'] }, examples: [{ input: { a: 1 } }] }), []],
    [
      'example inputs that do not fit the parameters are reported',
      tool({ parameters: { required: ['a'] }, examples: [{ input: {} }] }),
      ['tool-example /tools/0/examples/0/input'],
    ],
    [
      'example outputs that do not fit the returns are reported',
      tool({ returns: { type: 'number' }, examples: [{ output: 3 }, { output: '3' }] }),
      ['tool-example /tools/0/examples/1/output'],
    ],
    ['[adl/8.1-6] annotations are open', tool({ annotations: { vendor: { any: 'thing' } } }), []],
    [
      '[adl/8.1-6] annotations that the text defines have their types',
      tool({ annotations: { openapi_ref: 'a b' } }),
      ['VAL-06 /tools/0/annotations/openapi_ref'],
    ],
    ['[adl/8.1-7] flags are true or false', tool({ read_only: 'true' }), ['member-type /tools/0/read_only']],
    [
      '[adl/8.2-1] a resource has a name and a type',
      { resources: [{}] },
      ['missing-member /resources/0', 'missing-member /resources/0'],
    ],
    ['[adl/8.2-2] a resource has one of five types', resource({ type: 'files' }), ['VAL-14 /resources/0/type']],
    [
      '[adl/8.2-3] names are unique',
      {
        resources: [
          { name: 'a', type: 'api' },
          { name: 'a', type: 'file' },
        ],
      },
      ['VAL-03 /resources/1/name'],
    ],
    [
      '[adl/8.2-4] types of data are MIME types',
      resource({ mime_types: ['text/plain', 'text'] }),
      ['media-type /resources/0/mime_types/1'],
    ],
    [
      '[adl/8.2-5] the schema is a JSON Schema',
      resource({ schema: { required: 'a' } }),
      ['VAL-07 /resources/0/schema/required'],
    ],
    ['[adl/8.2-6] annotations are an object', resource({ annotations: [] }), ['member-type /resources/0/annotations']],
  ])
})

describe('permissions', () => {
  const hosts = (...allowed_hosts: string[]) => ({ permissions: { network: { allowed_hosts } } })
  const paths = (...denied_paths: string[]) => ({ permissions: { filesystem: { denied_paths } } })
  const variables = (...allowed_variables: string[]) => ({ permissions: { environment: { allowed_variables } } })
  const commands = (...allowed_commands: string[]) => ({ permissions: { execution: { allowed_commands } } })
  const host = 'permissions/network/allowed_hosts/0'

  holds([
    ['[adl/9-2] permissions have at least one domain', { permissions: {} }, ['empty-permissions /permissions']],
    ['[adl/9.2-3] a host pattern may begin with a star', hosts('*.example.com', 'example.org'), []],
    ['[adl/9.2-3] a host pattern has no two stars', hosts('**.example.com'), [`VAL-21 /${host}`]],
    ['[adl/9.2-3] a host pattern has no empty label', hosts('api..example.com'), [`VAL-21 /${host}`]],
    ['[adl/9.2-3] a host pattern is not empty', hosts(''), [`VAL-21 /${host}`]],
    ['[adl/9.3-3] a path pattern may have two stars', paths('/data/**', 'C:\\data\\*'), []],
    [
      '[adl/9.3-3] a path pattern has two stars only as a whole segment',
      paths('/data**'),
      ['VAL-22 /permissions/filesystem/denied_paths/0'],
    ],
    [
      '[adl/9.3-3] a granted path also has two stars only as a whole segment',
      { permissions: { filesystem: { allowed_paths: [{ path: '***', access: 'read' }] } } },
      ['VAL-22 /permissions/filesystem/allowed_paths/0/path'],
    ],
    [
      '[adl/9.4-3] a variable pattern has no two stars',
      variables('**'),
      ['VAL-23 /permissions/environment/allowed_variables/0'],
    ],
    [
      '[adl/9.5-3] a command pattern has no two stars',
      commands('**'),
      ['command-pattern /permissions/execution/allowed_commands/0'],
    ],
    ['[adl/18.6-1] a lone star of hosts is reported', hosts('*'), [`bare-wildcard /${host}`]],
    [
      '[adl/18.6-1] a lone star of variables is reported',
      variables('*'),
      ['bare-wildcard /permissions/environment/allowed_variables/0'],
    ],
    [
      '[adl/18.6-1] a lone star of commands is reported',
      commands('*'),
      ['bare-wildcard /permissions/execution/allowed_commands/0'],
    ],
    ['a star between characters is reported', hosts('a*b.example.com'), [`mid-wildcard /${host}`]],
    ['characters that no host has are reported', hosts('api.example.com:8443'), [`pattern-characters /${host}`]],
    ['[adl/18.4-1] a private address is reported', hosts('192.168.7.1'), [`private-host /${host}`]],
    ['[adl/18.4-1] any address is reported', hosts('9.9.9.9'), [`private-host /${host}`]],
    ['[adl/18.4-1] a private name is reported', hosts('vault.internal'), [`private-host /${host}`]],
    ['[adl/18.4-1] a name without a domain is reported', hosts('vault'), [`private-host /${host}`]],
    [
      '[adl/18.4-1] a private host in a URI is reported',
      { metadata: { documentation: 'http://[::1]:8080/docs' } },
      ['private-host /metadata/documentation'],
    ],
    [
      '[adl/9.2-4] ports are from 1 to 65535',
      { permissions: { network: { allowed_ports: [0, 443, 65536] } } },
      ['number-range /permissions/network/allowed_ports/0', 'number-range /permissions/network/allowed_ports/2'],
    ],
    [
      '[adl/9.3-4] access is one of three',
      { permissions: { filesystem: { allowed_paths: [{ path: '/a', access: 'rw' }] } } },
      ['enum-value /permissions/filesystem/allowed_paths/0/access'],
    ],
    [
      '[adl/9.6-2] limits are numbers',
      { permissions: { resource_limits: { max_cpu_percent: 101, max_memory_mb: -1 } } },
      [
        'number-range /permissions/resource_limits/max_cpu_percent',
        'number-range /permissions/resource_limits/max_memory_mb',
      ],
    ],
    ['a shell is reported', commands('/bin/bash'), ['shell-command /permissions/execution/allowed_commands/0']],
    [
      'a shell that is allowed is reported',
      { permissions: { execution: { allowed_commands: ['bash'], allow_shell: true } } },
      ['allow-shell /permissions/execution/allow_shell'],
    ],
  ])
})

describe('security and classification', () => {
  const attestation = (members: object) => ({ security: { attestation: { type: 'self', ...members } } })
  const signature = { algorithm: 'Ed25519', value: 'AA', signed_content: 'canonical' }

  test.each([
    ['2026-02-18T00:00:00Z', 'expired'],
    ['2026-02-18T00:00:01Z', 'expires within 30 days'],
  ])('[adl/10.3-2] an attestation until %s %s', (expires_at, words) =>
    expect(findings(attestation({ expires_at })).map(({ detail }) => detail)).toEqual([
      `The attestation ${words}: at ${expires_at}`,
    ]),
  )

  const classified = (members: object) => ({ data_classification: { sensitivity: 'internal', ...members } })
  const sensitivity = (level: string) => ({ data_classification: { sensitivity: level } })

  holds([
    [
      '[adl/10.1-1] authentication has a known type',
      { security: { authentication: { type: 'basic' } } },
      ['VAL-16 /security/authentication/type'],
    ],
    [
      '[adl/10.2-1] encryption has flags that are true or false',
      { security: { encryption: { in_transit: { required: 1 } } } },
      ['member-type /security/encryption/in_transit/required'],
    ],
    ['[adl/10.3-1] an attestation is of a type', attestation({ type: 'own' }), ['VAL-17 /security/attestation/type']],
    [
      '[adl/10.3-1] an attestation has valid timestamps',
      attestation({ issued_at: 'today' }),
      ['VAL-05 /security/attestation/issued_at'],
    ],
    [
      '[adl/10.3-2] [adl/18.1-2] an expired attestation is reported',
      attestation({ expires_at: '2026-02-18T00:00:00Z' }),
      ['attestation-expiry /security/attestation/expires_at'],
    ],
    [
      '[adl/10.3-2] an attestation that expires within 30 days is reported',
      attestation({ expires_at: '2026-03-20T00:00:00Z' }),
      ['attestation-expiry /security/attestation/expires_at'],
    ],
    [
      '[adl/10.3-2] an attestation that expires later is not reported',
      attestation({ expires_at: '2026-03-20T00:00:01Z' }),
      [],
    ],
    [
      '[adl/10.3-3] a signature has three members',
      attestation({ signature: {} }),
      ['missing-member', 'missing-member', 'missing-member'].map((rule) => `${rule} /security/attestation/signature`),
    ],
    [
      '[adl/10.3-3] a signature covers canonical bytes or a digest',
      attestation({ signature: { ...signature, signed_content: 'all' } }),
      ['enum-value /security/attestation/signature/signed_content'],
    ],
    [
      '[adl/10.3-4] a signature of a digest has the digest',
      attestation({ signature: { ...signature, signed_content: 'digest', digest_algorithm: 'SHA-256' } }),
      ['VAL-24 /security/attestation/signature'],
    ],
    [
      '[adl/18.8-5] a fraction in a signed document is reported',
      { ...attestation({ signature }), model: { temperature: 0.5 } },
      ['float-signed /model/temperature'],
    ],
    ['[adl/10.4-1] data is classified', { data_classification: {} }, ['missing-member /data_classification']],
    ['[adl/10.4-2] on one of four levels', sensitivity('secret'), ['VAL-25 /data_classification/sensitivity']],
    [
      '[adl/10.4-3] categories are not empty',
      classified({ categories: [] }),
      ['empty-value /data_classification/categories'],
    ],
    [
      '[adl/10.4-3] a category is one of six',
      classified({ categories: ['pii', 'personal'] }),
      ['VAL-26 /data_classification/categories/1'],
    ],
    [
      '[adl/10.4-4] retention is counted in days',
      classified({ retention: { min_days: -1 } }),
      ['number-range /data_classification/retention/min_days'],
    ],
    [
      '[adl/10.4-5] the least retention is not above the most',
      classified({ retention: { min_days: 8, max_days: 7 } }),
      ['VAL-27 /data_classification/retention/min_days'],
    ],
    [
      '[adl/10.4-5] the least retention may equal the most',
      classified({ retention: { min_days: 7, max_days: 7 } }),
      [],
    ],
    [
      '[adl/10.4-5] the retention of a tool is checked as well',
      {
        tools: [
          {
            name: 'a',
            description: 'Does it.',
            data_classification: { sensitivity: 'public', retention: { min_days: 8, max_days: 7 } },
          },
        ],
      },
      ['VAL-27 /tools/0/data_classification/retention/min_days'],
    ],
    [
      '[adl/10.4-6] no tool is above the agent',
      { ...sensitivity('internal'), tools: [{ name: 'a', description: 'Does it.', ...sensitivity('restricted') }] },
      ['VAL-28 /tools/0/data_classification/sensitivity'],
    ],
    [
      '[adl/10.4-6] no resource is above the agent',
      { resources: [{ name: 'a', type: 'api', ...sensitivity('internal') }] },
      ['VAL-28 /resources/0/data_classification/sensitivity'],
    ],
    [
      '[adl/10.4-6] tools and resources may have the level of the agent',
      { ...sensitivity('confidential'), resources: [{ name: 'a', type: 'api', ...sensitivity('confidential') }] },
      [],
    ],
    [
      '[adl/10.4-6] an unknown level is only reported as unknown',
      { tools: [{ name: 'a', description: 'Does it.', ...sensitivity('secret') }] },
      ['VAL-25 /tools/0/data_classification/sensitivity'],
    ],
    [
      '[adl/10.4-7] handling is true or false',
      classified({ handling: { logging_required: 'yes' } }),
      ['member-type /data_classification/handling/logging_required'],
    ],
  ])
})

describe('runtime and metadata', () => {
  const runtime = (members: object) => ({ runtime: members })

  holds([
    [
      '[adl/11.1-1] content types are MIME types',
      runtime({ input_handling: { content_types: ['json'] } }),
      ['media-type /runtime/input_handling/content_types/0'],
    ],
    [
      '[adl/11.1-2] sanitization is an object',
      runtime({ input_handling: { sanitization: true } }),
      ['member-type /runtime/input_handling/sanitization'],
    ],
    [
      '[adl/11.2-1] output is in one of four formats',
      runtime({ output_handling: { format: 'JSON' } }),
      ['VAL-19 /runtime/output_handling/format'],
    ],
    [
      '[adl/11.3-1] retries have a strategy',
      runtime({ tool_invocation: { retry_policy: { backoff_strategy: 'random' } } }),
      ['enum-value /runtime/tool_invocation/retry_policy/backoff_strategy'],
    ],
    [
      '[adl/11.3-1] retries are not negative',
      runtime({ tool_invocation: { retry_policy: { max_retries: -1 } } }),
      ['number-range /runtime/tool_invocation/retry_policy/max_retries'],
    ],
    [
      '[adl/11.4-1] errors end in one of three actions',
      runtime({ error_handling: { on_tool_error: 'stop' } }),
      ['VAL-18 /runtime/error_handling/on_tool_error'],
    ],
    [
      '[adl/11.4-2] a fallback ends in a known action',
      runtime({ error_handling: { fallback_behavior: { action: 'none', default: null } } }),
      ['enum-value /runtime/error_handling/fallback_behavior/action'],
    ],
    [
      '[adl/12.1-1] authors have names and addresses',
      { metadata: { authors: [{ name: 'A', email: 'a', url: 'a' }] } },
      ['value-pattern /metadata/authors/0/email', 'VAL-06 /metadata/authors/0/url'],
    ],
    ['[adl/12.2-1] a license is an SPDX identifier', { metadata: { license: 'MIT' } }, []],
    ['[adl/12.2-1] a license may be an expression', { metadata: { license: 'MIT OR Apache-2.0' } }, []],
    ['[adl/12.2-1] a license may be a URI', { metadata: { license: 'https://acme.example.com/license' } }, []],
    ['[adl/12.2-1] a license is nothing else', { metadata: { license: 'Apache 2' } }, ['license /metadata/license']],
    [
      '[adl/12.3-1] documentation is a URI',
      { metadata: { documentation: 'docs' } },
      ['VAL-06 /metadata/documentation'],
    ],
    ['[adl/12.4-1] so is the repository', { metadata: { repository: 'git' } }, ['VAL-06 /metadata/repository']],
    ['[adl/12.5-1] tags are lowercase', { metadata: { tags: ['ai', '-x', 'AI'] } }, ['tag /metadata/tags/2']],
    [
      '[adl/18.7-4] other schemes are reported',
      { resources: [{ name: 'a', type: 'file', uri: 's3://bucket/a' }] },
      ['uri-scheme /resources/0/uri'],
    ],
    [
      '[adl/18.7-4] a DID identifies agents only',
      { id: 'did:web:a.example', metadata: { repository: 'did:web:a.example' } },
      ['uri-scheme /metadata/repository'],
    ],
  ])
})

describe('credentials', () => {
  // Assembled here, so that scanners find no credentials in this repository.
  const token = (begin: string, rest: string) => begin + rest
  const random = token('dGhpc0lz', 'QVJhbmRvbVRva2VuOTg3NjU0MzIx')

  test.each([
    ['an access key of AWS', token('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a token of GitHub', token('ghp_', '16C7e42F292c6912E7710c838347Ae178B4a')],
    ['a token of Blazon', token('blazon1.', `publish.0.Y2k.${'a'.repeat(43)}`)],
    ['a token in a sentence', `Use ${token('xoxb-', '123456789012-abcdefghijkl')} for Slack.`],
    ['a key after an equals sign', `https://example.com/?key=${token('AIza', 'SyA1234567890abcdefghijklmnopqrstuv')}`],
    ['a password in a URI', token('postgres://admin:', 'hunter2@db.example.com/agents')],
    ['a random text', random],
    ['a private key', token('-----BEGIN PRIVATE ', `KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC`)],
  ])('[adl/18.2-1] %s is reported', (_, text) => {
    expect(told({ tools: [{ name: 'a', description: 'Does it.', annotations: { note: text } }] })).toEqual([
      'secret /tools/0/annotations/note',
    ])
  })

  test.each([
    'a-rather-long-name-of-an-agent-that-is-no-secret-at-all',
    'https://docs.acme.example.com/agents/research-assistant/v2/getting-started',
    '6e8bc430-9c3a-11d9-9669-0800200c9a66',
    'claude-sonnet-4-20250514',
    'sk-learn',
    '$ACME_API_KEY_FOR_SEARCH',
  ])('[adl/18.2-1] %s is not reported', (text) => {
    expect(told({ x_acme_note: text })).toEqual([])
  })
})
