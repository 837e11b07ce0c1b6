/** A case of fixtures/vectors: what to call with what, and what must come back. fixtures/vectors/README.md has the form. */
export interface Vector {
  readonly id: string
  readonly call: string
  readonly gives?: Readonly<Record<string, unknown>>
  readonly fault?: string
  readonly at?: number
  readonly first?: number
  readonly [field: string]: unknown
}

/** Text, bytes in hex, or pieces each repeated so many times: hostile inputs are long and a file should not be. */
export interface Content {
  readonly text?: string
  readonly hex?: string
  readonly build?: readonly (readonly [piece: string, times: number])[]
}

/** The bytes that a content stands for. */
export function contentBytes(content: Content): Uint8Array<ArrayBuffer> {
  if (content.hex !== undefined) {
    return Uint8Array.from(content.hex.match(/[0-9a-f]{2}/g) ?? [], (byte) => Number.parseInt(byte, 16))
  }
  const text = content.text ?? content.build?.map(([piece, times]) => piece.repeat(times)).join('')
  if (text === undefined) throw new TypeError(`neither text, hex nor build: ${JSON.stringify(content)}`)
  return new TextEncoder().encode(text)
}
