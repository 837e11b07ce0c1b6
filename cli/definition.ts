// Renders the prompts of agent definitions. Plain templates are rendered in commands/render.ts.
import { type PromptOptions, renderPrompt } from '../bindings/adl/prompt.ts'
import type { Document } from '../bindings/document/parse.ts'
import { read } from '../bindings/document/read.ts'
import { kindOfName } from '../bindings/frame/detect.ts'
import { open } from '../bindings/frame/open.ts'
import type { Tools } from './command.ts'
import type { Outcome } from './outcome.ts'

/** Opens a definition, or gives the findings of an unreadable one. Returns undefined for a template. */
export function readDefinition(bytes: Uint8Array, file: string, mustBe: boolean) {
  const isNamed = kindOfName(file) === 'adl'
  // Any text reads as YAML, so only its name marks a file as YAML.
  if (!isNamed && !mustBe && !/\.(json|ya?ml)$/i.test(file) && !beginsObject(bytes)) return undefined
  const opened = open(read, bytes, { file, ...((isNamed || mustBe) && { as: 'adl' }) })
  return opened.kind === 'adl' ? opened : undefined
}

export function renderDefinition(document: Document, file: string, options: PromptOptions, { print }: Tools): Outcome {
  const { text, unused, audit, diagnostics } = renderPrompt(document, options)
  const result = { file, kind: 'adl', valid: text !== undefined, diagnostics }
  if (text === undefined) return { results: [result] }
  const notes = unused.map((name) => `${name}: the prompt has no {{${name}}}`)
  print(text)
  return { results: [{ ...result, text, ...(audit !== undefined && { audit }) }], notes }
}

/** True when the first byte that is not white space is `{`. */
function beginsObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
  return first === 0x7b && bytes[bytes.indexOf(0x7b) + 1] !== 0x7b
}
