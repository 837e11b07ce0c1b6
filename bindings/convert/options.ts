// The options of conversions that people set, the same in all apps.
import { SENSITIVITIES } from '../adl/places.ts'
import { SOURCE_FORMATS } from './formats.ts'
import type { ConvertOptions } from './types.ts'

/** Options that people can type; files and clocks come from the app. */
export type OptionName = Exclude<keyof ConvertOptions, 'file' | 'now'>

export interface OptionRow {
  /** The label of a field. */
  readonly title: string
  /** Used if the target requires a value and nobody has given one yet; absent if there is no sensible one. */
  readonly example?: string
  readonly choices?: readonly string[]
  /** True for a list, one entry per line. */
  readonly many?: true
  /** True for an option that people rarely need. */
  readonly rare?: true
  /** Parses the text; by default the text itself is the value. Throws a RangeError with a message for people. */
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
  from: { title: 'What the document is', choices: SOURCE_FORMATS, rare: true },
}

/** Parses the text of an option. */
export function readOption(name: OptionName, text: string): unknown {
  return OPTIONS[name].read?.(text) ?? text
}

/** Rewrites the names of options in a message into those of an app. */
export function callOptions(message: string, called: (name: OptionName) => string): string {
  return message.replace(/\bthe option (\w+)/g, (words, name) =>
    Object.hasOwn(OPTIONS, name) ? called(name as OptionName) : words,
  )
}

/** Finds the options that a message mentions. */
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
