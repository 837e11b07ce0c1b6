import { type CompilePromptOptions, compilePrompt } from '../../bindings/agentlang/verbs.ts'
import type { Tools } from '../command.ts'
import type { Outcome } from '../outcome.ts'

/** Compiles the sections of a prompt.yaml. */
export function renderSections(bytes: Uint8Array, file: string, options: CompilePromptOptions, tools: Tools): Outcome {
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
