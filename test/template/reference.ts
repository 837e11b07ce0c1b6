// ADL section 7.2 and the template-var production of appendix D, implemented literally, character by character.

/** The UTF-8 offset where a malformed reference begins. */
export class Malformed extends Error {
  readonly offset: number

  constructor(offset: number) {
    super(`malformed reference at ${offset}`)
    this.offset = offset
  }
}

/** `template-var = 2%x7B var-name 2%x7D`, `var-name = ALPHA *( ALPHA / DIGIT / "_" )` */
const TEMPLATE_VAR = /^\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/

export type Part = { readonly text: string } | { readonly name: string; readonly offset: number }

export function partsOf(template: string): Part[] {
  const parts: Part[] = []
  let rest = template
  while (rest !== '') {
    if (rest.startsWith('\\{{')) {
      parts.push({ text: '{{' })
      rest = rest.slice(3)
    } else if (rest.startsWith('{{')) {
      const offset = Buffer.byteLength(template) - Buffer.byteLength(rest)
      const reference = TEMPLATE_VAR.exec(rest)
      if (reference === null) throw new Malformed(offset)
      parts.push({ name: reference[1]!, offset })
      rest = rest.slice(reference[0].length)
    } else {
      parts.push({ text: rest[0]! })
      rest = rest.slice(1)
    }
  }
  return parts
}

export function namesOf(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap((part) => ('name' in part ? [part.name] : [])))]
}

export function renderParts(parts: readonly Part[], variables: Readonly<Record<string, unknown>>): string {
  return parts.map((part) => ('text' in part ? part.text : String(variables[part.name]))).join('')
}
