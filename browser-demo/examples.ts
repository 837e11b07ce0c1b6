import {
  descriptionOf,
  PROMPT,
  TOOL_DESCRIPTION,
  YOUR_COMPANY,
  YOUR_HOST,
  YOUR_TEAM,
} from '../bindings/frame/placeholders.ts'
import * as engine from './engine.ts'
import { KIND_EXAMPLES } from './kind-examples.ts'

interface Example {
  readonly title: string
  readonly about: string
  text(): string
}

/**
 * Documents to start with: a definition with faults, a document of most kinds, every template of definitions with its
 * texts filled in, and JSON that other parsers misread.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  faulty: { title: 'Definition with faults', about: 'findings, and fixes for some of them', text: () => FAULTY },
  ...Object.fromEntries(
    Object.entries(KIND_EXAMPLES).map(([kind, { title, about, document }]) => [
      kind,
      { title, about, text: () => writeJson(document) },
    ]),
  ),
  ...templates(),
  rfc8785: { title: 'Canonical JSON', about: 'JSON, and its canonical form', text: () => RFC8785 },
  duplicate: { title: 'Duplicate member', about: 'JSON with the same member twice', text: () => DUPLICATE },
  integer: {
    title: 'Large numbers',
    about: 'JSON with numbers that do not fit a double',
    text: () => '{\n  "id": 9007199254740993,\n  "tiny": 1e-400\n}\n',
  },
}

const NAME = 'Document assistant'

/** Texts that replace the placeholders of templates. */
const WRITTEN = new Map([
  [
    descriptionOf(NAME),
    'Finds documents by words and files changes to them, for the clerks of Acme. It deletes nothing.',
  ],
  [PROMPT, 'Find what you are asked for, name the documents, and say when you are not sure. You work for {{company}}.'],
  [YOUR_COMPANY, 'Acme Ltd'],
  [YOUR_TEAM, 'Records office'],
])
const TOOLS: Readonly<Record<string, string>> = {
  find_items: 'Finds documents by words, and gives the names of those that fit best.',
  change_item: 'Files a change to one document, once somebody has confirmed it.',
}

function writeJson(document: object, replacer?: typeof filledIn): string {
  return `${JSON.stringify(document, replacer, 2)}\n`
}

function templates(): Record<string, Example> {
  const names = Object.keys(engine.TEMPLATES) as (keyof typeof engine.TEMPLATES)[]
  return Object.fromEntries(
    names.map((name) => {
      const text = () => writeJson(engine.newDefinition(name, NAME, { now: new Date() }), filledIn)
      const title = `${name[0]!.toUpperCase()}${name.slice(1)} definition`
      return [name, { title, about: engine.TEMPLATES[name].about, text }]
    }),
  )
}

function filledIn(_: string, value: unknown): unknown {
  if (typeof value === 'string') return WRITTEN.get(value) ?? value.replace(YOUR_HOST, 'acme.example.com')
  const { name, description } = (value ?? {}) as { readonly name?: string; readonly description?: string }
  return description === TOOL_DESCRIPTION ? { ...(value as object), description: TOOLS[name!] } : value
}

// In YAML, to show that YAML is read as well.
const FAULTY = `# A definition with a few faults. Findings says what they are; some have a fix at hand.
adl_spec: 0.1.0
name: Invoice reader
descripton: Reads invoices, checks the amounts and files them.
version: "1.0"
data_classification:
  sensitivity: confidental
tools:
  - name: read_invoice
    description: Reads one invoice.
    read_only: "true"
permissions:
  network:
    allowed_hosts: ["*"]
  filesystem:
    allowed_paths:
      - path: /data/invoices/**
        access: read
`

// RFC 8785 section 3.2.2
const RFC8785 = `{
  "numbers": [333333333.33333329, 1E30, 4.50,
              2e-3, 0.000000000000000000000000001],
  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
  "literals": [null, true, false]
}
`

const DUPLICATE = `{
  "name": "Weather agent",
  "host": "api.example.com",
  "n\\u0061me": "Another agent"
}
`
