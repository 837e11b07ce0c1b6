// Reads `permissions` strictly: a domain with any unknown or invalid part grants nothing.
import { escapeToken, isObject, type JsonObject, type PlacedValue } from '../text/members.ts'
import { shown } from '../text/words.ts'

/** The reason that a domain grants nothing at all: it is absent, or violates the specification. */
export class Unusable {
  readonly pointer: string | undefined
  readonly detail: string

  constructor(detail: string, pointer?: string) {
    this.detail = detail
    this.pointer = pointer
  }
}

/** Reads the members of an object in the permissions, and checks that none of them is unknown. */
export class Part {
  readonly pointer: string
  readonly #value: JsonObject
  readonly #known = new Set<string>()

  /** @throws {Unusable} when the value is not an object, like all methods that read it. */
  constructor({ pointer, value }: PlacedValue<unknown>) {
    if (!isObject(value)) throw new Unusable(`expected an object, found ${shown(value)}`, pointer)
    this.pointer = pointer
    this.#value = value
  }

  /** The member, if it is present. */
  member(name: string): PlacedValue<unknown> | undefined {
    this.#known.add(name)
    if (!Object.hasOwn(this.#value, name)) return undefined
    return { pointer: `${this.pointer}/${escapeToken(name)}`, value: this.#value[name] }
  }

  text(name: string, choices: readonly string[] = []): PlacedValue<string> {
    const found = this.member(name)
    if (found === undefined) throw new Unusable(`expected a member ${name}`, this.pointer)
    const text = asText(found)
    if (choices.length === 0 || choices.includes(text.value)) return text
    throw new Unusable(`expected ${choices.join(' or ')}, found ${shown(text.value)}`, text.pointer)
  }

  flag(name: string): PlacedValue<boolean> | undefined {
    const found = this.member(name)
    if (found === undefined || typeof found.value === 'boolean') return found as PlacedValue<boolean> | undefined
    throw new Unusable(`expected true or false, found ${shown(found.value)}`, found.pointer)
  }

  number(name: string, least: number, most = Number.POSITIVE_INFINITY): PlacedValue<number> | undefined {
    const found = this.member(name)
    return found && asNumber(found, least, most)
  }

  list(name: string): PlacedValue<readonly PlacedValue<unknown>[]> | undefined {
    const found = this.member(name)
    if (found === undefined) return undefined
    const { pointer, value } = found
    if (!Array.isArray(value)) throw new Unusable(`expected an array, found ${shown(value)}`, pointer)
    return { pointer, value: value.map((element: unknown, i) => ({ pointer: `${pointer}/${i}`, value: element })) }
  }

  texts(name: string): PlacedValue<readonly PlacedValue<string>[]> | undefined {
    const list = this.list(name)
    return list && { pointer: list.pointer, value: list.value.map(asText) }
  }

  /**
   * Refuses unknown members: one may be a restriction that is not understood, such as a misspelt `denied_paths`.
   * Extension members are allowed (ADL 4.3).
   */
  close(): void {
    for (const name of Object.keys(this.#value)) {
      if (this.#known.has(name) || name.startsWith('x_')) continue
      throw new Unusable(
        'not a member of this object: it may be meant as a limit',
        `${this.pointer}/${escapeToken(name)}`,
      )
    }
  }
}

function asText({ pointer, value }: PlacedValue<unknown>): PlacedValue<string> {
  if (typeof value === 'string') return { pointer, value }
  throw new Unusable(`expected a string, found ${shown(value)}`, pointer)
}

export function asNumber({ pointer, value }: PlacedValue<unknown>, least: number, most: number): PlacedValue<number> {
  if (typeof value === 'number' && value >= least && value <= most) return { pointer, value }
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`
  throw new Unusable(`expected a number ${range}, found ${shown(value)}`, pointer)
}

/** The domain, or the reason that it cannot be used. */
export function readPart<Value>(
  permissions: PlacedValue<unknown> | undefined,
  name: string,
  read: (part: Part) => Value,
): Value | Unusable {
  try {
    if (permissions === undefined) return new Unusable('the document has no permissions')
    const domain = new Part(permissions).member(name)
    if (domain === undefined) return new Unusable(`permissions has no ${name}`)
    const part = new Part(domain)
    const value = read(part)
    part.close()
    return value
  } catch (error) {
    if (error instanceof Unusable) return error
    throw error
  }
}
