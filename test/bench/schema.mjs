// JSON Schema, interpreted by us and compiled to code by Ajv, which needs eval for it and so does not run in Workers.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkSchema, compileSchema } from 'blazon/schema'

export const title = 'JSON Schema'

export const notes = [
  'Ajv writes JavaScript for a schema and has the engine compile it. That takes milliseconds, and is worth it for a schema' +
    ' that thousands of values are held against; an interpreter stays behind it there, by what calls cost that code in' +
    ' one function does not make.',
  'With three errors: half of the time is the walk that a valid value takes as well, a sixth the texts of the messages, a' +
    ' tenth the pointers.',
]

/** As tools have them. */
const SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to search for', minLength: 1, maxLength: 200 },
    customer_id: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4,8}$' },
    status: { type: 'string', enum: ['open', 'paid', 'overdue'] },
    min_amount: { type: 'number', minimum: 0 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 10 },
    range: {
      type: 'object',
      properties: { from: { type: 'string' }, to: { type: 'string' } },
      required: ['from'],
      additionalProperties: false,
    },
  },
  required: ['query'],
  additionalProperties: false,
}

const VALUE = {
  query: 'late invoices',
  customer_id: 'DE-12345',
  status: 'overdue',
  min_amount: 12.5,
  limit: 20,
  tags: ['a', 'b', 'c'],
  range: { from: '2026-01-01', to: '2026-02-01' },
}

const WRONG = { ...VALUE, limit: 0, range: {}, other: true }

export function cases() {
  const options = { strict: false, validateFormats: false, allErrors: true }
  const ajv = new Ajv2020(options)
  const theirs = ajv.compile(SCHEMA)
  const ours = compileSchema(SCHEMA)
  const places = (value) => ours.validate(value).map(({ keyword }) => keyword)
  const theirPlaces = (value) => {
    theirs(value)
    return (theirs.errors ?? []).map(({ keyword }) => keyword)
  }
  return [
    {
      name: 'a value that is valid, the schema compiled before',
      floor: 0.15,
      aim: 0.35,
      ours: () => ours.validate(VALUE),
      peers: { ajv: () => theirs(VALUE) },
      check: () => same(places(VALUE), theirPlaces(VALUE)),
    },
    {
      name: 'a value with three errors, the schema compiled before',
      floor: 0.3,
      aim: 0.5,
      ours: () => ours.validate(WRONG),
      peers: { ajv: () => theirs(WRONG) },
      check: () => same(places(WRONG), theirPlaces(WRONG)),
    },
    {
      name: 'compile, then validate one value',
      floor: 20,
      aim: 80,
      ours: () => compileSchema(SCHEMA).validate(VALUE),
      peers: { ajv: () => new Ajv2020({ ...options, meta: false, validateSchema: false }).compile(SCHEMA)(VALUE) },
      check: () => same(compileSchema(SCHEMA).validate(VALUE), []),
    },
    {
      name: 'is it a schema?',
      floor: 1.5,
      aim: 5,
      ours: () => checkSchema(SCHEMA),
      peers: { ajv: () => ajv.validateSchema(SCHEMA) },
      check: () => same([checkSchema(SCHEMA).length === 0], [ajv.validateSchema(SCHEMA)]),
    },
  ]
}

function same(ours, theirs) {
  if (JSON.stringify([...ours].sort()) !== JSON.stringify([...theirs].sort())) throw new Error('answers differ')
}
