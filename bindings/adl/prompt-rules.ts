// The faults that rendering a prompt can have, in addition to those of any template.
import type { RuleInfo } from '../frame/rule.ts'

const severity = 'error'

export const UNDEFINED_VARIABLE: RuleInfo = {
  id: 'template/undefined',
  code: 'ADL-1006',
  title: 'Template variable without a value',
  section: 'ADL 7.2',
  severity,
  why: 'Text with a hole where a name, a limit or a rule should stand tells the model something else than its author wrote.',
  bad: '{"system_prompt": {"template": "You work for {{company}}.", "variables": {}}}',
  good: '{"system_prompt": {"template": "You work for {{company}}.", "variables": {"company": "Acme"}}}',
}

export const NO_PROMPT: RuleInfo = {
  id: 'prompt/absent',
  code: 'BADL-170',
  title: 'No such prompt',
  section: 'ADL 8.3',
  severity,
  why: 'A prompt is rendered by its name, and an agent without system_prompt has none to render.',
  bad: '{"prompts": [{"name": "summarize"}]}',
  good: '{"prompts": [{"name": "summarize", "template": "Summarize {{text}}"}]}',
}

export const HIDDEN_TEXT: RuleInfo = {
  id: 'prompt/hidden-text',
  code: 'BADL-171',
  title: 'Value with characters that are not seen',
  section: 'ADL 18.3',
  severity,
  why: 'A model reads control characters, marks that turn the direction of writing and tag characters; who reviews the prompt does not see them.',
  bad: '{"variables": {"name": "Ada\\u202e"}}',
  good: '{"variables": {"name": "Ada"}}',
}

export const SEAM: RuleInfo = {
  id: 'prompt/seam',
  code: 'BADL-172',
  title: 'Template delimiter at the edge of a value',
  section: 'ADL 18.3',
  severity,
  why: 'Half a delimiter in a value and half beside it make a whole one, for whoever reads the result as a template again.',
  bad: '{"template": "{{a}}{{b}}", "variables": {"a": "{", "b": "{x}"}}',
  good: '{"template": "{{a}} {{b}}", "variables": {"a": "(", "b": "x"}}',
}

export const ARGUMENT: RuleInfo = {
  id: 'prompt/argument',
  code: 'BADL-173',
  title: 'Argument that the prompt does not take',
  section: 'ADL 8.3',
  severity,
  why: 'Arguments are JSON Schema so that what reaches the model has the form that its author reckoned with.',
  bad: '{"arguments": {"properties": {"days": {"type": "integer"}}}, "variables": {"days": "soon"}}',
  good: '{"arguments": {"properties": {"days": {"type": "integer"}}}, "variables": {"days": 7}}',
}

/** The rules of rendering, in addition to those of any template. */
export const PROMPT_RULES: readonly RuleInfo[] = [UNDEFINED_VARIABLE, NO_PROMPT, HIDDEN_TEXT, SEAM, ARGUMENT]
