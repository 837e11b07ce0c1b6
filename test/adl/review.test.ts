import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { publicCopy } from '../../bindings/adl/publication.ts'
import { REVIEW_RULES, review } from '../../bindings/adl/review.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { published } from '../convert/samples.ts'
import { explainedRows } from '../support/explained.ts'

// Everything that ADL 18.2, 18.4 and 18.9 name, once each.
const REVEALING = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Invoice Processor',
  description: 'Processes and routes invoices.',
  version: '2.0.0',
  id: 'https://acme.example.com/agents/invoices',
  provider: { name: 'Acme', url: 'https://acme.example.com', contact: 'ada.lovelace@acme.example.com' },
  data_classification: { sensitivity: 'confidential' },
  system_prompt: 'You work for the treasury.',
  tools: [
    {
      name: 'find',
      description: 'Finds.',
      parameters: { type: 'object', properties: { x_ray: { type: 'string' } } },
      examples: [{ input: { x_ray: 'Jane Roe' } }],
      data_classification: { sensitivity: 'confidential' },
    },
  ],
  prompts: [{ name: 'p', template: 'Hello' }],
  resources: [{ name: 'store', type: 'database', uri: 'https://db.internal/x', x_owner: 'ops' }],
  permissions: {
    network: { allowed_hosts: ['api.acme.example.com', 'ledger.corp', '10.1.2.3'] },
    filesystem: { allowed_paths: [{ path: '/srv/payroll/**', access: 'read' }], denied_paths: ['/srv/keys'] },
    environment: { allowed_variables: ['APP_*'] },
    execution: { allowed_commands: ['jq'] },
  },
  metadata: {
    authors: [{ name: 'Ada', email: 'team@acme.example.com' }],
    repository: 'https://git.acme.example.com/r',
  },
  x_acme_cost_center: '4711',
}
const SOURCE = JSON.stringify(REVEALING)

describe('review', () => {
  test('[adl/18.4-4] [adl/18.9-3] [adl/18.2-11] lists what a publication reveals', () => {
    const { publishable, diagnostics } = review(SOURCE, { file: 'a.json' })
    expect(publishable).toBe(false)
    expect(diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)).toEqual([
      'BADL-186 /provider/url',
      'BADL-120 /provider/contact',
      'BADL-180 /data_classification/sensitivity',
      'BADL-181 /system_prompt',
      'BADL-187 /tools/0/examples/0',
      'BADL-189 /tools/0/data_classification/sensitivity',
      'BADL-181 /prompts/0/template',
      'BADL-115 /resources/0/uri',
      'BADL-188 /resources/0/x_owner',
      'BADL-183 /permissions/network/allowed_hosts/0',
      'BADL-115 /permissions/network/allowed_hosts/1',
      'BADL-115 /permissions/network/allowed_hosts/2',
      'BADL-184 /permissions/filesystem/allowed_paths/0/path',
      'BADL-184 /permissions/filesystem/denied_paths/0',
      'BADL-185 /permissions/environment/allowed_variables/0',
      'BADL-185 /permissions/execution/allowed_commands/0',
      'BADL-182 /metadata/authors/0/name',
      'BADL-182 /metadata/authors/0/email',
      'BADL-186 /metadata/repository',
      'BADL-188 /x_acme_cost_center',
    ])
    for (const { code, fix, source } of diagnostics) {
      expect(source.file).toBe('a.json')
      if (code > 'BADL-180') expect(fix?.hint).toBeTruthy()
    }
  })

  test.each([
    ['public', true],
    ['internal', true],
    ['confidential', false],
    ['restricted', false],
  ])('[adl/18.4-5] a %s document is publishable without a reviewer: %s', (sensitivity, expected) => {
    expect(review(JSON.stringify({ ...REVEALING, data_classification: { sensitivity } })).publishable).toBe(expected)
  })

  test('[adl/18.2-11] a credential is an error here', () => {
    const source = JSON.stringify({ description: 'Use AKIAIOSFODNN7EXAMPLE for it' })
    expect(review(source)).toMatchObject({ publishable: false, diagnostics: [{ code: 'BADL-114', severity: 'error' }] })
  })

  test('a document that is not a definition is not publishable', () => {
    expect(review('[]')).toMatchObject({ publishable: false, diagnostics: [{ code: 'ADL-1002' }] })
    expect(review('{')).toMatchObject({ publishable: false })
  })

  test.each(explainedRows(REVIEW_RULES).map((rule) => [rule.id, rule] as const))(
    '%s: its examples show it',
    (_, { bad, good, code }) => {
      const codes = (text: string) => review(text).diagnostics.map((diagnostic) => diagnostic.code)
      expect(codes(bad)).toContain(code)
      if (!['BADL-182', 'BADL-183', 'BADL-184', 'BADL-185', 'BADL-186', 'BADL-187'].includes(code))
        expect(codes(good)).not.toContain(code)
    },
  )
})

describe('a public copy', () => {
  const { document, removed, diagnostics } = publicCopy(SOURCE)

  test('[adl/18.4-4] [adl/18.9-3] contains no internal data', () => {
    expect(diagnostics).toEqual([])
    expect(document?.value).toEqual({
      $schema: 'https://adl-spec.org/0.1/schema.json',
      adl_spec: '0.1.0',
      name: 'Invoice Processor',
      description: 'Processes and routes invoices.',
      version: '2.0.0',
      id: 'https://acme.example.com/agents/invoices',
      provider: { name: 'Acme', url: 'https://acme.example.com' },
      data_classification: { sensitivity: 'confidential' },
      tools: [
        {
          name: 'find',
          description: 'Finds.',
          parameters: { type: 'object', properties: { x_ray: { type: 'string' } } },
          data_classification: { sensitivity: 'confidential' },
        },
      ],
      resources: [{ name: 'store', type: 'database' }],
      permissions: { network: { allowed_hosts: ['api.acme.example.com'] } },
      metadata: { repository: 'https://git.acme.example.com/r' },
      x_blazon_public_copy: {
        note: 'Reduced for publication. Not signed: the whole definition is what counts.',
        sha256_of_whole: createHash('sha256').update(canonicalizeValue(REVEALING)).digest('hex'),
        removed_members: removed.length,
      },
    })
  })

  test('[adl/18.4-4] contains no file system path in a URI either', () => {
    const resources = [{ name: 'notes', type: 'file', uri: 'FILE:///home/ada/notes' }]
    const copy = publicCopy(JSON.stringify({ ...REVEALING, resources })).document!
    expect(copy.value).toMatchObject({ resources: [{ name: 'notes', type: 'file' }] })
    expect(JSON.stringify(copy.value)).not.toContain('ada/notes')
  })

  test('lists what was removed', () => {
    expect(removed.map(({ pointer }) => pointer)).toEqual([
      '/provider/contact',
      '/system_prompt',
      '/tools/0/examples',
      '/prompts',
      '/resources/0/uri',
      '/resources/0/x_owner',
      '/permissions/network/allowed_hosts/1',
      '/permissions/network/allowed_hosts/2',
      '/permissions/filesystem',
      '/permissions/environment',
      '/permissions/execution',
      '/metadata/authors',
      '/x_acme_cost_center',
    ])
  })

  test.each([...published(), ['revealing', REVEALING] as const])(
    'of %s is valid, and reveals no more than hosts and addresses',
    (_, definition) => {
      const copy = publicCopy(JSON.stringify(definition)).document!
      const errors = validate(copy, { now: new Date('2026-03-01T00:00:00Z') }).diagnostics.filter(
        ({ severity }) => severity === 'error',
      )
      expect(errors).toEqual([])
      const codes = new Set(review(copy).diagnostics.map(({ code }) => code))
      for (const code of codes) expect(['BADL-180', 'BADL-183', 'BADL-186', 'BADL-188', 'BADL-189']).toContain(code)
    },
  )

  test('keeps the remaining values as they were written, in one style', () => {
    const source = `{"name":"\\u0041","x_a":1,"system_prompt":"S","tools":[{"name":"t","description":"d","examples":[{}],"returns":{"const":9007199254740993,"maximum":1.50e3}},{"name":"u","description":"e"}]}`
    const bytes = publicCopy(source).document!.bytes
    const [kept] = new TextDecoder().decode(bytes).split('  "x_blazon_public_copy"')
    expect(kept).toBe(`{
  "name": "\\u0041",
  "tools": [
    {
      "name": "t",
      "description": "d",
      "returns": {
        "const": 9007199254740993,
        "maximum": 1.50e3
      }
    },
    {
      "name": "u",
      "description": "e"
    }
  ],
`)
    expect(JSON.parse(new TextDecoder().decode(publicCopy('{"x_a": 1}').document!.bytes))).toHaveProperty(
      'x_blazon_public_copy.removed_members',
      1,
    )
  })

  test('has no signature', () => {
    const signed = {
      ...REVEALING,
      security: { attestation: { type: 'self', signature: { value: 'x' } }, authentication: { type: 'none' } },
    }
    expect(publicCopy(JSON.stringify(signed)).document?.value).toMatchObject({
      security: { authentication: { type: 'none' } },
    })
    expect(JSON.stringify(publicCopy(JSON.stringify(signed)).document?.value)).not.toContain('signature":')
  })

  test('is not made of a document with a credential, or one that is not a definition', () => {
    const leak = publicCopy(JSON.stringify({ ...REVEALING, description: 'Use AKIAIOSFODNN7EXAMPLE for it' }))
    expect(leak.document).toBeUndefined()
    expect(leak.diagnostics).toMatchObject([
      { code: 'BADL-114', severity: 'error', source: { pointer: '/description' } },
    ])
    expect(publicCopy('7').document).toBeUndefined()
  })

  test('any JSON value is reviewed and reduced, or refused', () => {
    const property = fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(REVEALING)), (value, name) => {
      for (const source of [JSON.stringify(value), JSON.stringify({ ...REVEALING, [name]: value })]) {
        review(source)
        publicCopy(source)
      }
    })
    fc.assert(property, { numRuns: 300 })
  })
})
