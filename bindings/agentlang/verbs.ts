import type { Diagnostic, Files } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source, ValidationReport } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { type ValidateOptions, validateAs } from '../frame/verbs.ts'
import { PROMPT_VARIABLE } from './findings.ts'
import { type AgentFolder, folderOf } from './folder.ts'
import { type CompiledPrompt, type CompileOptions, compile } from './prompt/compile.ts'
import { reportVariables } from './prompt/rules.ts'
import { PROMPT_READING } from './prompt/subject.ts'
import { AGENTLANG } from './specification.ts'
import { AGENT_READING, type Agent } from './subject.ts'

/**
 * Validates an agent: agent.yaml, or the files of its folder by their paths. Each finding names the file that it is in.
 *
 * @example
 * validate(new Map([['agent.yaml', bytes], ['prompt.yaml', more]])).valid
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a file.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(AGENTLANG, source, options)
}

/** An agent with its files, or the reasons why it cannot be read. */
export interface LoadResult {
  readonly agent: Agent | undefined
  readonly folder: AgentFolder | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the files of an agent, and sorts out what each one is. Does not check them. */
export function load(files: Files, options: { readonly file?: string } = {}): LoadResult {
  const { subject: agent, diagnostics } = readAs(AGENT_READING, files, options.file)
  return { agent, folder: agent && folderOf(agent), diagnostics }
}

export interface CompilePromptOptions extends CompileOptions {
  readonly file?: string
  /** Refuses variables without a value, which are otherwise left as they are written. */
  readonly strict?: boolean
}

/** A compiled prompt. Without one, the diagnostics have the reasons. */
export interface CompileResult {
  readonly compiled: CompiledPrompt | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Compiles a prompt to Markdown or XML tags. Content is copied to the letter.
 *
 * @example
 * compilePrompt(source, { target: 'xml', variables: { time: '2026-01-01T00:00:00Z' } }).compiled.text
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a prompt.
 */
export function compilePrompt(source: Source, options: CompilePromptOptions = {}): CompileResult {
  const { strict = false, variables = {}, file } = options
  const { subject: prompt, diagnostics } = readAs(PROMPT_READING, source, file)
  if (prompt === undefined) return { compiled: undefined, diagnostics }
  const found = [...diagnostics]
  if (strict)
    reportVariables(prompt, Object.keys(variables), 'Expected a value for each variable', (pointer, detail) =>
      found.push(ruleDiagnostic(prompt.document, PROMPT_VARIABLE, 'error', pointer, detail)),
    )
  return { compiled: found.length > diagnostics.length ? undefined : compile(prompt, options), diagnostics: found }
}
