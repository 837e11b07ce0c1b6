import { parseText } from '../document/parse-text.ts'
import { read } from '../document/read.ts'
import type { Diagnostic, Files } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { GivenFolder } from '../frame/needs.ts'
import { descriptionOf, TASK, YOUR_DEVELOPER } from '../frame/placeholders.ts'
import type { Source, ValidationReport } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { type ValidateOptions, validateAs } from '../frame/verbs.ts'
import { slug } from '../text/words.ts'
import { PROMPT_VARIABLE } from './findings.ts'
import { type LoadResult, loadWith, mayBelong } from './folder.ts'
import {
  type CompiledPrompt,
  type CompileOptions,
  compile,
  PROMPT_READING,
  reportVariables,
} from './prompt/specification.ts'
import { AGENTLANG } from './specification.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

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

/** Reads the files of an agent, and sorts out what each one is. Does not check them. */
export function load(files: Files, options: { readonly file?: string } = {}): LoadResult {
  return loadWith(read, parseText, files, options.file)
}

/** Reads a folder, with the files that its agent names and that it was read without. */
export async function loadWhole({ file, files, bytesOf }: GivenFolder): Promise<LoadResult> {
  const all = new Map(files)
  const loaded = load(all, { file })
  for (const path of loaded.folder?.paths ?? []) {
    const bytes = mayBelong(path) ? undefined : await bytesOf(path)
    if (bytes !== undefined) all.set(path, bytes)
  }
  return loaded
}

export declare namespace compilePrompt {
  /** A compiled prompt. Without one, the diagnostics have the reasons. */
  interface Result {
    readonly compiled: CompiledPrompt | undefined
    readonly diagnostics: readonly Diagnostic[]
  }

  interface Options extends CompileOptions {
    readonly file?: string
    /** Refuses variables without a value, which are otherwise left as they are written. */
    readonly strict?: boolean
  }
}

/**
 * Compiles a prompt to Markdown or XML tags. Content is copied to the letter.
 *
 * @example
 * compilePrompt(source, { target: 'xml', variables: { time: '2026-01-01T00:00:00Z' } }).compiled.text
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a prompt.
 */
export function compilePrompt(source: Source, options: compilePrompt.Options = {}): compilePrompt.Result {
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

// The starter folder of `blazon init`: an agent and its prompt.

const LONGEST_NAME = 64

interface About {
  readonly description?: string | undefined
  readonly developer?: string | undefined
}

/** Returns the files of an agent for its author to complete. Without further tools it runs on every host. */
export function newAgentFolder(
  name: string,
  { description = descriptionOf(name), developer = YOUR_DEVELOPER }: About = {},
): Readonly<Record<'agent.yaml' | 'prompt.yaml', object>> {
  return {
    'agent.yaml': {
      name: slug(name, 'agent').slice(0, LONGEST_NAME).replace(/-$/, ''),
      version: '0.1.0',
      title: name,
      description,
      developer,
      tools: [{ name: 'artifacts' }],
    },
    'prompt.yaml': {
      version: 2,
      role: 'system',
      sections: [
        { name: 'task', content: `${TASK}\n` },
        { name: 'your_tools', content: 'artifacts - Save reports and findings for the user.\n' },
      ],
    },
  }
}
