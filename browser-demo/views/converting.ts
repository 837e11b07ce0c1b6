import { convert } from '../../bindings/convert/convert.ts'
import type { ConversionResult, ConvertFormat } from '../../bindings/convert/formats.ts'
import { callOptions, OPTIONS, type OptionName, optionsIn, readOption } from '../../bindings/convert/openapi.ts'
import type { Document } from '../../bindings/document/parse.ts'

export interface Conversion extends Omit<ConversionResult, 'asked'> {
  readonly asked: readonly OptionName[]
  /** Required options that are empty; their examples are used. */
  readonly examples: readonly OptionName[]
  /** Why a value was refused. */
  readonly refusal?: string
}

/**
 * Converts with the values of the options that the conversion uses, and with examples for required options that are empty.
 * An option can make the conversion use another one, so this repeats until it uses no new option.
 */
export function converting(document: Document, to: ConvertFormat, answer: (name: OptionName) => string): Conversion {
  const given = new Map<OptionName, unknown>()
  const examples: OptionName[] = []
  let asked: readonly OptionName[] = ['from']
  try {
    for (;;) {
      for (const name of asked) if (answer(name) !== '') given.set(name, readOption(name, answer(name)))
      const made = convert(document, { to, ...Object.fromEntries(given) })
      const before = asked
      asked = made.asked.filter((name) => Object.hasOwn(OPTIONS, name)) as OptionName[]
      if (asked.some((name) => answer(name) !== '' && !given.has(name))) continue
      const lacking = made.document === undefined ? lackingIn(made, given) : undefined
      if (lacking === undefined) return { ...made, asked: [...new Set([...asked, ...given.keys()])], examples }
      asked = [...new Set([...before, ...asked])]
      examples.push(lacking)
      given.set(lacking, readOption(lacking, OPTIONS[lacking].example!))
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const refusal = error.message.replace(/^(\w+)[.\w]*: /, (whole, name) =>
      Object.hasOwn(OPTIONS, name) ? `“${OPTIONS[name as OptionName].title}”: ` : whole,
    )
    return { document: undefined, loss: [], diagnostics: [], asked, examples, refusal }
  }
}

/** A message with the titles of options instead of their names. */
export const inWords = (message: string) => callOptions(message, (name) => `“${OPTIONS[name].title}”`)

/** The first required option that is missing and has an example. */
function lackingIn({ diagnostics }: ConversionResult, given: ReadonlyMap<OptionName, unknown>): OptionName | undefined {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ detail }) => optionsIn(detail))
    .find((name) => !given.has(name) && OPTIONS[name].example !== undefined)
}
