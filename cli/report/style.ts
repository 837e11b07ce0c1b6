/** Terminal colors, or no change at all. Colors never carry meaning alone. */
export interface Style {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
}

export function styleFor(color: boolean): Style {
  const sgr = (code: number, end: number) => (text: string) =>
    color && text !== '' ? `\x1b[${code}m${text}\x1b[${end}m` : text
  return { error: sgr(31, 39), warning: sgr(33, 39), info: sgr(36, 39), dim: sgr(2, 22), bold: sgr(1, 22) }
}
