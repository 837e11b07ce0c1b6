// Templates compiled once, against mustache and handlebars, which are told not to escape. `npm run build` comes first.
import { compileTemplate } from 'blazon/core'
import { random } from './documents.mjs'

export const title = 'Templates'

export const notes = [
  'To text: engines join the parts of a text when it is first read, here within the time, 27 ns a part in V8, and as much' +
    ' again of text beyond Latin-1. The peers pay as much for it as we do, so that where parts are short no renderer' +
    ' in JavaScript gets beyond 3.5x handlebars at 1 KB and 2.3x with Cyrillic values at 10 KB. Decoding the bytes of the' +
    ' core avoids it, and pays from 16 references of ASCII on; decoders are slow at anything else. The floor is for the' +
    ' prompts in ASCII that it was measured with; those with Cyrillic values are listed separately.',
]

const WORDS =
  'the agent will call a tool with these arguments and return structured results to user after checking policy'.split(
    ' ',
  )

/** Sizes of the output, about, and how many variables fill it. */
const SIZES = [
  { name: '1 KB', characters: 1_000, variables: 8 },
  { name: '10 KB', characters: 10_000, variables: 20 },
  { name: '100 KB', characters: 100_000, variables: 50 },
  { name: '1 MB', characters: 1_000_000, variables: 50 },
]

/** A prompt with a reference every dozen words, and values for it. */
function promptOf({ characters, variables }, value) {
  const next = random(9)
  const below = (n) => Math.floor(next() * n)
  let template = ''
  for (let n = 0; template.length < characters; n++) {
    for (let words = 8 + below(9); words > 0; words--) template += `${WORDS[below(WORDS.length)]} `
    template += `{{var_${n % variables}}} `
  }
  const names = Array.from({ length: variables }, (_, i) => `var_${i}`)
  const values = Object.fromEntries(names.map((name, i) => [name, `${value} ${i}`]))
  // Read from JSON, as variables mostly come: else each would be a joint of two parts, which costs all of us more.
  return { template, values: JSON.parse(JSON.stringify(values)) }
}

/** Engines join text lazily. Reading a character makes them do it, within the time that is measured. */
function flat(text) {
  text.charCodeAt(text.length >> 1)
  return text
}

function same(ours, theirs) {
  for (const text of theirs) if (ours !== text) throw new Error('answers differ')
}

export async function cases({ peer }) {
  const { default: Mustache } = await peer('mustache')
  const { default: Handlebars } = await peer('handlebars')
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const asIs = { escape: (text) => text }

  function contestants({ template, values }) {
    const ours = compileTemplate(template)
    const handlebars = Handlebars.compile(template, { noEscape: true })
    return {
      ours: () => ours.render(values),
      view: () => ours.renderView(values),
      mustache: () => Mustache.render(template, values, undefined, asIs),
      handlebars: () => handlebars(values),
    }
  }

  function toBytes(size, prompt, wanted) {
    const { view, mustache, handlebars } = contestants(prompt)
    return {
      name: `${size.name} to bytes`,
      ...wanted,
      ours: view,
      peers: { mustache: () => encoder.encode(mustache()), handlebars: () => encoder.encode(handlebars()) },
      check: () => same(decoder.decode(view()), [mustache(), handlebars()]),
    }
  }

  function toText(name, prompt, wanted) {
    const { ours, mustache, handlebars } = contestants(prompt)
    return {
      name,
      ...wanted,
      ours: () => flat(ours()),
      peers: { mustache: () => flat(mustache()), handlebars: () => flat(handlebars()) },
      check: () => same(ours(), [mustache(), handlebars()]),
    }
  }

  return SIZES.flatMap((size) => {
    const ascii = promptOf(size, 'value number')
    const isMeasured = size.characters === 100_000
    const wanted = isMeasured ? { floor: { mustache: 65, handlebars: 22 }, aim: { mustache: 90, handlebars: 35 } } : {}
    return [
      toBytes(size, ascii, wanted),
      toText(`${size.name} to text`, ascii, { floor: 2.7, aim: 5 }),
      toText(`${size.name} to text, Cyrillic values`, promptOf(size, 'значение')),
    ]
  })
}
