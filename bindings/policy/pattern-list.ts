import { compilePatterns, PatternError, type PatternKind, type PatternSet } from '../core/patterns.ts'
import type { PlacedValue } from '../text/members.ts'
import { Unusable } from './part.ts'

export interface ListOptions {
  /** Ignore the case of letters. */
  readonly ignoreCase?: boolean
  /** Changes the spelling of a pattern before it is compiled. */
  readonly spell?: ((pattern: string) => string) | undefined
}

/** The patterns of one array with their places. */
export class PatternList {
  readonly entries: readonly PlacedValue<string>[]
  /** The place of the array; undefined when it is absent. An absent array counts as empty. */
  readonly pointer: string | undefined
  readonly #set: PatternSet | undefined

  /** @throws {Unusable} when a pattern is invalid. */
  constructor(
    kind: PatternKind,
    list: PlacedValue<readonly PlacedValue<string>[]> | undefined,
    options: ListOptions = {},
  ) {
    const { ignoreCase = false, spell } = options
    const entries = list?.value ?? []
    this.entries = entries
    this.pointer = list?.pointer
    const patterns = entries.map(({ value }) => (spell === undefined ? value : spell(value)))
    this.#set = patterns.length === 0 ? undefined : compile(kind, patterns, entries, ignoreCase)
  }

  /** The first pattern that matches; with `whether`, any pattern if one matches. */
  find(subject: string, whether: boolean): PlacedValue<string> | undefined {
    if (this.#set === undefined) return undefined
    if (whether) return this.#set.test(subject) ? this.entries[0] : undefined
    return this.entries[this.#set.first(subject)]
  }
}

function compile(
  kind: PatternKind,
  patterns: readonly string[],
  entries: readonly PlacedValue<string>[],
  ignoreCase: boolean,
): PatternSet {
  try {
    return compilePatterns(kind, patterns, { ignoreCase })
  } catch (error) {
    if (error instanceof PatternError) {
      const [{ message, pattern }] = error.findings as [(typeof error.findings)[0]]
      throw new Unusable(`not a pattern: ${message}`, entries[pattern]!.pointer)
    }
    if (error instanceof RangeError) throw new Unusable(error.message, entries[0]!.pointer)
    throw error
  }
}

/**
 * Merges letters that some system treats as the same, beyond ASCII as well. Used for denials. Grants compare only ASCII
 * letters without case, so a letter that may or may not equal another is denied either way.
 */
export function foldBroadly(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
