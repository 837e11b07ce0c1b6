// Checking an ADL document, against JSON.parse, a validator that Ajv compiled of the same schema, and the same rules on the
// value. `npm run build` comes first.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { validate } from 'blazon/adl'
import { importBundled } from '../support/bundle.mjs'
import { median } from './harness.mjs'

export const title = 'ADL'

export const notes = [
  'The peer reads nothing strictly, knows no positions, and its rules are ours, run on the value. What Blazon does' +
    ' beyond it, reading strictly and keeping where everything stands, is paid for by deciding the schema faster.',
]

/** One rule looks at the bytes, and at the strings one by one when these do not settle it. Of a value there are strings only. */
const SUSPICIOUS = new Uint8Array(20).fill(0x5c)

const now = new Date('2026-02-18T00:00:00Z')

/** Milliseconds to check a definition with so many members that nobody knows, whose names differ at their ends alone. */
function unknownMembers(count) {
  const names = Array.from({ length: count }, (_, i) => 'n'.repeat(992) + String(i).padStart(8, '0'))
  const source = JSON.stringify({ adl_spec: '0.1.0', ...Object.fromEntries(names.map((name) => [name, 1])) })
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now()
    validate(source, { now })
    return performance.now() - start
  })
  return median(times)
}

/** Our rules as functions of a value. */
function rulesOfValue() {
  return importBundled(
    'bench-adl',
    `export { Agent } from './bindings/adl/subject.ts'\nexport { ADL } from './bindings/adl/specification.ts'`,
  )
}

export async function cases({ peer }) {
  const { default: addFormats } = await peer('ajv-formats')
  const { Agent, ADL } = await rulesOfValue()
  const ajv = new Ajv2020({ strict: false })
  // As a function, for Node gives the exports of a CommonJS module as its default.
  ;(addFormats.default ?? addFormats)(ajv)
  const hasShape = ajv.compile(JSON.parse(readFileSync('bindings/adl/schema.json', 'utf8')))
  const bytes = new Uint8Array(readFileSync('fixtures/adl/invoice-processor.json'))
  const decoder = new TextDecoder()

  let found
  const report = (pointer) => found.push(pointer)
  function parseAjvAndRules() {
    found = []
    const value = JSON.parse(decoder.decode(bytes))
    if (!hasShape(value)) found.push('')
    const agent = new Agent({ value, bytes: SUSPICIOUS })
    const context = { now }
    for (const rule of ADL.rules) rule.check(agent, report, context)
    return found.length
  }

  return [
    {
      name: `validate, ${(bytes.length / 1000).toFixed(1)} KB`,
      floor: 1.2,
      aim: 1.5,
      ours: () => validate(bytes, { now }).diagnostics.length,
      peers: { 'JSON.parse, Ajv, rules': parseAjvAndRules },
      check() {
        if (validate(bytes, { now }).diagnostics.length !== 0 || parseAjvAndRules() !== 0) throw new Error('not clean')
      },
    },
    {
      name: '960 unknown names of 1,000 letters, times the time of 240 (4 is linear)',
      unit: 'x',
      measure: async () => {
        unknownMembers(240)
        return unknownMembers(960) / unknownMembers(240)
      },
      atMost: 6,
      aim: 4.5,
    },
  ]
}
