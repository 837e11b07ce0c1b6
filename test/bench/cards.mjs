// Checking an Agent Card, against JSON.parse, a validator that Ajv compiled of the same schema, and the same rules on the
// value. `npm run build` comes first.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CARD_SCHEMA, validate } from 'blazon/card'
import { importBundled } from '../support/bundle.mjs'

export const title = 'Agent Cards'

export const notes = [
  'The card is the example of the draft. The peer reads nothing strictly and makes no diagnostics of what it finds.',
  'Its time is spread over the rules: no function takes more than 14 %.',
]

const now = new Date('2026-03-26T00:00:00Z')

/** What rules ask a document for besides its value: the digits of seq, which this card has not, and its bytes. */
const DOCUMENT = { tape: undefined, bytes: new Uint8Array() }

/** Our rules as functions of a value. */
function rulesOfValue() {
  return importBundled(
    'bench-cards',
    `export { Card } from './bindings/card/subject.ts'\nexport { RULES } from './bindings/card/specification.ts'`,
  )
}

export async function cases({ peer }) {
  const { default: addFormats } = await peer('ajv-formats')
  const { Card, RULES } = await rulesOfValue()
  const ajv = new Ajv2020({ strict: false })
  // As a function, for Node gives the exports of a CommonJS module as its default.
  ;(addFormats.default ?? addFormats)(ajv)
  const hasShape = ajv.compile(CARD_SCHEMA)
  const bytes = new Uint8Array(readFileSync('fixtures/card/translator-zh-en.json'))
  const decoder = new TextDecoder()

  let found
  const report = (pointer) => found.push(pointer)
  function parseAjvAndRules() {
    found = []
    const value = JSON.parse(decoder.decode(bytes))
    if (!hasShape(value)) found.push('')
    const card = new Card({ ...DOCUMENT, value })
    const context = { now }
    for (const rule of RULES) rule.check(card, report, context)
    return found.length
  }

  return [
    {
      name: `validate, ${(bytes.length / 1000).toFixed(1)} KB`,
      floor: 0.8,
      aim: 1,
      ours: () => validate(bytes, { now }).diagnostics.length,
      peers: { 'JSON.parse, Ajv, rules': parseAjvAndRules },
      check() {
        if (validate(bytes, { now }).diagnostics.length !== 4 || parseAjvAndRules() !== 4) throw new Error('not alike')
      },
    },
  ]
}
