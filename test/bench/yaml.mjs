// Definitions in YAML: read, and validated, against the packages that read YAML. Then how many files need no package.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, validate } from 'blazon'
import { parse as parseByPackage, stringify } from 'yaml'
import { bundledText } from '../../scripts/bundler.mjs'
import { median } from './harness.mjs'

export const title = 'YAML'

export const notes = [
  'The definition has 400 tools. We also record the place of each value, and refuse what two programs could read differently.',
  'The files are those of fixtures/ and node_modules/ that are valid. Processor time counts from the fourth call on.',
]

const EXAMPLE = 'fixtures/adl/invoice-processor.json'
const [TOOLS, BEFORE, ROUNDS] = [400, 3, 15]

export async function cases({ peer }) {
  const { load } = await peer('js-yaml')
  const text = stringify(largeDefinition())
  const bytes = new TextEncoder().encode(text)
  const ours = (source) => parse(source, { format: 'yaml' }).document
  return [
    {
      name: `read a definition of ${TOOLS} tools, ${Math.round(bytes.length / 1000)} KB`,
      ours: () => ours(bytes),
      peers: { yaml: () => parseByPackage(text), 'js-yaml': () => load(text) },
      check() {
        for (const source of [text, ...yamlFiles().map((file) => readFileSync(file, 'utf8'))]) {
          const document = ours(source)
          if (document === undefined) continue
          // js-yaml also reads dates and merges as YAML 1.1 has them, so its answer is compared for our own text only.
          const answers = [parseByPackage(source), ...(source === text ? [load(source)] : [])]
          if (!answers.every((answer) => isDeepStrictEqual(plain(answer), plain(document.value))))
            throw new Error(`other values: ${source.slice(0, 200)}`)
        }
      },
      floor: { yaml: 10, 'js-yaml': 1.2 },
      aim: { yaml: 15, 'js-yaml': 2 },
      rounds: 11,
    },
    {
      name: 'processor time of validating it',
      unit: ' ms',
      atMost: 25,
      aim: 18,
      async measure() {
        const times = []
        for (let round = 0; round < BEFORE + ROUNDS; round++) {
          const before = process.cpuUsage()
          validate(bytes, { file: 'agent.adl.yaml' })
          const { user, system } = process.cpuUsage(before)
          times.push((user + system) / 1000)
        }
        return median(times.slice(BEFORE))
      },
    },
    {
      name: 'files that need the package',
      unit: ' %',
      atMost: 10,
      aim: 5,
      measure: shareWithPackage,
    },
  ]
}

const plain = (value) => JSON.parse(JSON.stringify(value))

export function largeDefinition() {
  const { tools: _, ...rest } = JSON.parse(readFileSync(EXAMPLE, 'utf8'))
  const tools = Array.from({ length: TOOLS }, (_, i) => ({
    name: `tool_${i}`,
    description: `Finds invoice number ${i}, and says who has to pay it: often.`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'The text to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['query'],
    },
    read_only: i % 2 === 0,
  }))
  return { ...rest, tools }
}

const yamlFiles = () =>
  ['fixtures', 'node_modules'].filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/.test(file))
      .map((file) => `${folder}/${file}`),
  )

async function shareWithPackage() {
  const contents = "export { parseQuickly, textOf } from './bindings/document/yaml/parse-quickly.ts'"
  const code = await bundledText({
    stdin: { contents, resolveDir: '.' },
    platform: 'neutral',
    alias: { '#wasm': './dist/wasm/module.inline.js' },
  })
  const { parseQuickly, textOf } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const valid = yamlFiles()
    .map((file) => readFileSync(file))
    .filter((bytes) => parse(bytes, { format: 'yaml' }).document !== undefined)
  const others = valid.filter((bytes) => parseQuickly(textOf(bytes, {})) === undefined)
  return (100 * others.length) / valid.length
}
