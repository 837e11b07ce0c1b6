// Rendering prompts of definitions, beside templates.
import { LIMITS } from '../bindings/adl/limits.ts'
import { type PromptOptions, renderPrompt } from '../bindings/adl/prompt.ts'
import { type Document, DocumentError } from '../bindings/document/index.ts'
import { detectKind } from '../bindings/document/kind.ts'
import { read } from '../bindings/document/read.ts'
import type { Outcome } from './context.ts'

/** What a file holds that may be a definition: the definition, why it cannot be read, or undefined for a template. */
export function readDefinition(bytes: Uint8Array, file: string, mustBe: boolean) {
  const isNamed = /\.adl(\.json|\.ya?ml)?$/i.test(file)
  // Text of any kind reads as YAML: only a name says that it is meant.
  if (!isNamed && !mustBe && !/\.(json|ya?ml)$/i.test(file) && !beginsObject(bytes)) return undefined
  const parsed = read(bytes, { file, maxBytes: LIMITS.documentBytes, maxDepth: LIMITS.depth })
  const isDefinition = isNamed || mustBe || (parsed.document !== undefined && detectKind(parsed.document) === 'adl')
  return isDefinition ? parsed : undefined
}

/** Renders a prompt of a definition. */
export function renderDefinition(document: Document, file: string, options: PromptOptions): Outcome {
  try {
    const { text, unused, audit } = renderPrompt(document, options)
    const result = { file, kind: 'adl', valid: true, diagnostics: [], text, ...(audit !== undefined && { audit }) }
    const notes = unused.map((name) => `${name}: the prompt has no {{${name}}}`)
    return { results: [result], output: [text], notes }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { results: [{ file, kind: 'adl', valid: false, diagnostics: error.diagnostics }], output: [] }
  }
}

/** Whether the first byte that is no white space is `{`. */
function beginsObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
  return first === 0x7b && bytes[bytes.indexOf(0x7b) + 1] !== 0x7b
}
