// Renders the prompts of agent definitions. Plain templates are rendered in commands/render.ts.
import { renderPrompt } from '../bindings/adl/prompt.ts'
import { insertSchema } from '../bindings/adl/rules/document.ts'
import { compilePrompt } from '../bindings/agentlang/verbs.ts'
import { applyEdits } from '../bindings/document/edit.ts'
import type { Document } from '../bindings/document/parse.ts'
import { read } from '../bindings/document/read.ts'
import { detectKind, kindOfName } from '../bindings/frame/detect.ts'
import { open } from '../bindings/frame/open.ts'
import type { Outcome, Tools } from './command.ts'

/** Opens a definition, or gives the findings of an unreadable one. Returns undefined for a template. */
export function readDefinition(bytes: Uint8Array, file: string, mustBe: boolean) {
  const isNamed = kindOfName(file) === 'adl'
  // Any text reads as YAML, so only its name marks a file as YAML.
  if (!isNamed && !mustBe && !/\.(json|ya?ml)$/i.test(file) && !beginsObject(bytes)) return undefined
  const opened = open(read, bytes, { file, ...((isNamed || mustBe) && { as: 'adl' }) })
  return opened.kind === 'adl' ? opened : undefined
}

export function renderDefinition(
  document: Document,
  file: string,
  options: renderPrompt.Options,
  { print }: Tools,
): Outcome {
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

const SIGNATURE = ['security', 'attestation', 'signature']

/** Adds the `$schema` that editors use. Returns a document that is signed, has one, or is of another kind unchanged. */
export function withSchema(document: Document): Document {
  const { tape, lines, format } = document
  if (detectKind(document) !== 'adl' || tape.find(['$schema']) >= 0 || tape.find(SIGNATURE) >= 0) return document
  const { edits } = insertSchema(document)
  if (edits === undefined) return document
  return read(applyEdits(lines.bytes, edits), { format, bom: 'warn' }).document ?? document
}

export function renderSections(bytes: Uint8Array, file: string, options: compilePrompt.Options, tools: Tools): Outcome {
  const { compiled, diagnostics } = compilePrompt(bytes, { ...options, file })
  const result = { file, kind: 'prompt', valid: compiled !== undefined, diagnostics }
  if (compiled === undefined) return { results: [result] }
  const { text, role, sections, unresolved } = compiled
  tools.print(text)
  const notes = unresolved.map(
    (name) => `{{${name}}} has no value, so it is left as it is written; give --var ${name}=VALUE`,
  )
  return { results: [{ ...result, text, role, sections }], notes }
}
