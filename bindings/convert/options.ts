// The options of conversions that a person answers, so that apps ask for them alike.
import { SENSITIVITIES } from '../adl/classification.ts'
import { FORMATS } from './formats.ts'
import type { ConvertOptions } from './types.ts'

/** An option that is no text of its own: files and clocks are the app's. */
export type OptionName = Exclude<keyof ConvertOptions, 'file' | 'now'>

export interface OptionRow {
  /** The words beside a field. */
  readonly title: string
  /** Stands in where the target cannot do without and nobody has answered yet; absent where nothing can. */
  readonly example?: string
  readonly choices?: readonly string[]
  /** True for a list, one entry a line. */
  readonly many?: true
  /** True for a question that hardly anybody answers. */
  readonly rare?: true
  /** The value that a text stands for: the text itself, when absent. Throws a RangeError with words for people. */
  readonly read?: (text: string) => unknown
}

export const OPTIONS: Readonly<Record<OptionName, OptionRow>> = {
  id: { title: 'The agent’s id', example: 'agent://my-agent' },
  url: { title: 'The agent’s URL', example: 'https://agents.example.com/a2a' },
  serverName: { title: 'The name in a registry', example: 'com.example/my-agent' },
  classification: {
    title: 'How sensitive its data is',
    example: 'internal',
    choices: SENSITIVITIES,
    read: (sensitivity) => ({ sensitivity }),
  },
  version: { title: 'Its version', example: '1.0.0' },
  description: { title: 'Its description', example: 'An agent.' },
  server: { title: 'The server, one of the configuration’s' },
  command: { title: 'The command that starts the server', example: 'npx' },
  args: { title: 'Its arguments, one a line', many: true, read: (text) => text.split('\n').filter(Boolean) },
  binding: { title: 'The protocol at the URL', choices: ['JSONRPC', 'GRPC', 'HTTP+JSON'] },
  apiKey: { title: 'Where an API key is sent', example: 'header:X-API-Key', read: readApiKey },
  carry: { title: 'What goes along', choices: ['public', 'all', 'nothing'], rare: true },
  from: { title: 'What the document is', choices: FORMATS, rare: true },
}

/** The value of an option for an answer in text. */
export function readOption(name: OptionName, text: string): unknown {
  return OPTIONS[name].read?.(text) ?? text
}

/** A message of converters, with options called what an app calls them. */
export function callOptions(message: string, called: (name: OptionName) => string): string {
  return message.replace(/\bthe option (\w+)/g, (words, name) =>
    Object.hasOwn(OPTIONS, name) ? called(name as OptionName) : words,
  )
}

/** The options that a message is about. */
export function optionsIn(message: string): OptionName[] {
  const names: OptionName[] = []
  callOptions(message, (name) => {
    names.push(name)
    return name
  })
  return names
}

function readApiKey(text: string): ConvertOptions['apiKey'] {
  const [, place, name] = /^([a-z]+):(.+)$/.exec(text) ?? []
  const where = (['header', 'query', 'cookie'] as const).find((known) => known === place)
  if (where !== undefined && name !== undefined) return { in: where, name }
  throw new RangeError(`apiKey: expected header:NAME, query:NAME or cookie:NAME, got ${JSON.stringify(text)}`)
}
