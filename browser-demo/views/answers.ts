import { OPTIONS, type OptionName } from '../../bindings/convert/openapi.ts'
import { element, make } from '../dom.ts'

/** The fields of a conversion, one for each option. Only options that the conversion uses are visible. */
export class Answers {
  readonly #fields = new Map<OptionName, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>()

  constructor(changed: () => void) {
    for (const name of Object.keys(OPTIONS) as OptionName[]) {
      const { title, rare } = OPTIONS[name]
      const field = fieldOf(name)
      field.id = `convert-${name}`
      field.addEventListener('input', changed)
      const entry = make('label', 'entry grow')
      entry.append(make('span', '', title), ' ', field)
      element(rare ? 'convert-more' : 'convert-fields').append(entry)
      this.#fields.set(name, field)
    }
  }

  /** The value that the reader entered, or an empty string. */
  of(name: OptionName): string {
    return this.#fields.get(name)!.value.trim()
  }

  offer(names: readonly OptionName[]): void {
    for (const [name, field] of this.#fields) field.parentElement!.hidden = !names.includes(name)
  }
}

function fieldOf(name: OptionName): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const { choices, example = '', many } = OPTIONS[name]
  if (choices !== undefined) {
    const choice = make('select')
    choice.append(new Option('default', ''), ...choices.map((value) => new Option(value, value)))
    return choice
  }
  const field = make(many ? 'textarea' : 'input')
  if (field instanceof HTMLTextAreaElement) field.rows = 2
  else field.type = 'text'
  field.autocomplete = 'off'
  field.spellcheck = false
  if (example !== '') field.placeholder = `such as ${example}`
  return field
}
