// Variables of prompts: `{{time}}`. A runtime gives those that context.inject names.

/** A variable in a text, with its place in UTF-16 units. */
export interface Variable {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The variables that a runtime can give. */
export const INJECTED = ['time', 'location', 'user_profile'] as const

const VARIABLE = /\{\{[ \t]*\.?([A-Za-z_]\w{0,99})[ \t]*\}\}/g

export function variablesIn(text: string): readonly Variable[] {
  return Array.from(text.matchAll(VARIABLE), ({ 0: whole, 1: name, index }) => {
    return { name: name!, start: index, end: index + whole.length }
  })
}
