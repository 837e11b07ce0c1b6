import { reportRepeated } from '../../frame/repeated.ts'
import type { Rule } from '../../frame/rule.ts'
import type { Agent } from '../agent.ts'

export const uniqueTools: Rule<Agent> = {
  id: 'VAL-02',
  code: 'ADL-2002',
  title: 'Duplicate tool name',
  section: 'ADL 8.1',
  severity: 'error',
  why: 'An agent calls a tool by its name: with two of the same name nobody can say which one runs, or whose permission and confirmation apply.',
  bad: '{"tools": [{"name": "search", "description": "Searches the web."}, {"name": "search", "description": "Searches files."}]}',
  good: '{"tools": [{"name": "search_web", "description": "Searches the web."}, {"name": "search_files", "description": "Searches files."}]}',
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const uniqueResources: Rule<Agent> = {
  id: 'VAL-03',
  code: 'ADL-2003',
  title: 'Duplicate resource name',
  section: 'ADL 8.2',
  severity: 'error',
  why: 'Resources are read by their names: of two with the same name, programs may read different ones.',
  bad: '{"resources": [{"name": "docs", "type": "file"}, {"name": "docs", "type": "api"}]}',
  good: '{"resources": [{"name": "docs", "type": "file"}, {"name": "docs_api", "type": "api"}]}',
  check: ({ resources }, report) => reportRepeated('resource', resources, report),
}

export const uniquePrompts: Rule<Agent> = {
  id: 'VAL-04',
  code: 'ADL-2004',
  title: 'Duplicate prompt name',
  section: 'ADL 8.3',
  severity: 'error',
  why: 'Prompts are rendered by their names: of two with the same name, programs may render different ones.',
  bad: '{"prompts": [{"name": "greet", "template": "Hello"}, {"name": "greet", "template": "Good evening"}]}',
  good: '{"prompts": [{"name": "greet", "template": "Hello"}, {"name": "greet_late", "template": "Good evening"}]}',
  check: ({ prompts }, report) => reportRepeated('prompt', prompts, report),
}
