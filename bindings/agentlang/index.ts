/**
 * AgentLang: agents in folders, their prompts and skills.
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export type { AgentFolder } from './folder.ts'
export {
  type CompiledPrompt,
  type CompiledSection,
  type PlainSection,
  type PromptTarget,
  sectionsIn,
} from './prompt/compile.ts'
export type { Agent } from './subject.ts'
export {
  type CompilePromptOptions,
  type CompileResult,
  compilePrompt,
  type LoadResult,
  load,
  validate,
} from './verbs.ts'
