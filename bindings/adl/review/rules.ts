// The facts that a published definition reveals (ADL 18.4, 18.9), one rule each. They are not faults, so validation
// doesn't report them.

import type { Rule, RuleInfo } from '../../frame/rule.ts'
import { elements, isObject, member, objectMember, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { isSensitive } from '../classification.ts'
import { patterns, uris } from '../places.ts'
import { extensions } from './extensions.ts'

/** Something that the document reveals. */
type Sight = PlacedValue<string>

interface Reveals extends RuleInfo {
  /** The remedy, in words. */
  readonly advice: string
  find(agent: Agent): readonly Sight[]
}

function rule({ advice, find, ...info }: Reveals): Rule<Agent> {
  const check: Rule<Agent>['check'] = (agent, report) => {
    for (const { pointer, value } of find(agent)) report(pointer, value, { fix: { hint: advice } })
  }
  return { ...info, check }
}

/** Makes a sight for each text that is present. */
const of = (texts: readonly (PlacedValue<string> | undefined)[], words: (text: string) => string): Sight[] =>
  texts.flatMap((text) => (text === undefined ? [] : [{ pointer: text.pointer, value: words(text.value) }]))

const patternsOf = (agent: Agent, kind: string, words: (pattern: string) => string): Sight[] =>
  of(
    patterns(agent).filter((pattern) => pattern.kind === kind),
    words,
  )

const classified = rule({
  id: 'review/classification',
  code: 'BADL-180',
  title: 'Not for the public as it is',
  section: 'ADL 18.4',
  severity: 'error',
  why: 'Who declares data confidential or restricted has said that not everybody may learn of it.',
  bad: '{"data_classification": {"sensitivity": "restricted"}}',
  good: '{"data_classification": {"sensitivity": "public"}}',
  advice: 'publish it to those who are authorized only, or have somebody review it first',
  find({ classification }) {
    const sensitivity = textMember(classification, 'sensitivity')
    return of(isSensitive(sensitivity?.value) ? [sensitivity] : [], (value) => `The agent handles ${value} data`)
  },
})

const prompts = rule({
  id: 'review/prompt',
  code: 'BADL-181',
  title: 'Prompt that everybody can read',
  section: 'ADL 18.9',
  severity: 'warning',
  why: 'A prompt tells who uses the agent and for what, and shows an attacker what to argue against.',
  bad: '{"system_prompt": "Refuse refunds above 50 EUR unless the customer threatens to leave."}',
  good: '{"description": "Handles refunds."}',
  advice: 'leave it out of the public copy: a runtime gets it with the whole definition',
  find({ root, prompts }) {
    const own = member(root.value, 'system_prompt') === undefined ? [] : [{ pointer: '/system_prompt', value: '' }]
    const templates = prompts.map((prompt) => textMember(prompt, 'template'))
    return [...of(own, () => 'The system prompt'), ...of(templates, () => 'The template of a prompt')]
  },
})

const contacts = rule({
  id: 'review/contact',
  code: 'BADL-182',
  title: 'Contact that everybody can read',
  section: 'ADL 18.9',
  severity: 'info',
  why: 'Names and addresses of people are personal data, and are harvested where they are public.',
  bad: '{"metadata": {"authors": [{"name": "Ada Lovelace", "email": "ada@acme.example.com"}]}}',
  good: '{"provider": {"name": "Acme", "contact": "agents@acme.example.com"}}',
  advice: 'use the address of an office, or leave it out',
  find({ provider, metadata }) {
    const authors = elements(metadata, 'authors', isObject)
    const texts = [
      textMember(provider, 'contact'),
      ...authors.flatMap((author) => [textMember(author, 'name'), textMember(author, 'email')]),
    ]
    return of(texts, (text) => `${quoted(text)}`)
  },
})

const hosts = rule({
  id: 'review/host',
  code: 'BADL-183',
  title: 'Host that the agent may reach',
  section: 'ADL 18.4',
  severity: 'info',
  why: 'The list of allowed hosts is a map of what stands behind the agent.',
  bad: '{"permissions": {"network": {"allowed_hosts": ["ledger.prod.acme.example.com"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["api.acme.example.com"]}}}',
  advice: 'name hosts that are public anyway, or a wider domain',
  find: (agent) => patternsOf(agent, 'host', (host) => `The agent may reach ${quoted(host)}`),
})

const paths = rule({
  id: 'review/path',
  code: 'BADL-184',
  title: 'Path of a file system',
  section: 'ADL 18.4',
  severity: 'warning',
  why: 'Paths tell where things lie, and which of them were worth denying.',
  bad: '{"permissions": {"filesystem": {"denied_paths": ["/srv/payroll/**"]}}}',
  good: '{"permissions": {"filesystem": {"allowed_paths": [{"path": "/data/**", "access": "read"}]}}}',
  advice: 'generalize it, or leave the domain out of the public copy',
  find: (agent) => patternsOf(agent, 'path', (path) => `The path ${quoted(path)}`),
})

const processes = rule({
  id: 'review/process',
  code: 'BADL-185',
  title: 'Variable or command of the host',
  section: 'ADL 18.4',
  severity: 'info',
  why: 'Names of variables and commands tell how the host is set up, and where secrets lie.',
  bad: '{"permissions": {"environment": {"denied_variables": ["STRIPE_LIVE_*"]}}}',
  good: '{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}',
  advice: 'generalize it, or leave the domain out of the public copy',
  find: (agent) => [
    ...patternsOf(agent, 'env', (name) => `The variable ${quoted(name)}`),
    ...patternsOf(agent, 'command', (name) => `The command ${quoted(name)}`),
  ],
})

const addresses = rule({
  id: 'review/address',
  code: 'BADL-186',
  title: 'Address that everybody can read',
  section: 'ADL 18.4',
  severity: 'info',
  why: 'Documentation, repositories and stores may be systems that are not meant to be known.',
  bad: '{"metadata": {"repository": "https://git.acme.example.com/secret-project"}}',
  good: '{"metadata": {"documentation": "https://docs.acme.example.com/agents"}}',
  advice: 'see that it is meant for the public',
  find: (agent) =>
    of(
      uris(agent).filter(({ pointer }) => pointer !== '/$schema' && pointer !== '/id'),
      (uri) => `The address ${quoted(uri)}`,
    ),
})

const examples = rule({
  id: 'review/example',
  code: 'BADL-187',
  title: 'Example of a call',
  section: 'ADL 18.2',
  severity: 'info',
  why: 'Examples are often taken from life, with the names and numbers of customers in them.',
  bad: '{"tools": [{"name": "find", "description": "Finds.", "examples": [{"input": {"customer": "Jane Roe"}}]}]}',
  good: '{"tools": [{"name": "find", "description": "Finds.", "examples": [{"input": {"customer": "Example Ltd"}}]}]}',
  advice: 'see that it is made up',
  find: ({ tools }) =>
    tools.flatMap((tool) =>
      elements(tool, 'examples', isObject).map(({ pointer }) => ({ pointer, value: 'An example of a call' })),
    ),
})

const extensionMembers = rule({
  id: 'review/extension',
  code: 'BADL-188',
  title: 'Extension member',
  section: 'ADL 4.3',
  severity: 'info',
  why: 'What an x_ member holds is known to those alone who defined it.',
  bad: '{"x_acme_cost_center": "4711"}',
  good: '{"metadata": {"tags": ["finance"]}}',
  advice: 'see that it is meant for the public',
  find: (agent) => extensions(agent).map((pointer) => ({ pointer, value: 'An extension member' })),
})

const purposes = rule({
  id: 'review/tool-data',
  code: 'BADL-189',
  title: 'Data that a tool or resource handles',
  section: 'ADL 18.4',
  severity: 'info',
  why: 'It tells which tool is worth attacking.',
  bad: '{"tools": [{"name": "payroll", "description": "Reads.", "data_classification": {"sensitivity": "restricted"}}]}',
  good: '{"tools": [{"name": "payroll", "description": "Reads."}]}',
  advice: 'leave the classification of single tools to the whole definition',
  find({ tools, resources }) {
    const own = [...tools, ...resources].map((entry) => objectMember(entry, 'data_classification'))
    const texts = own.map((classification) => textMember(classification, 'sensitivity'))
    return of(
      texts.filter((text) => text?.value !== 'public'),
      (value) => `It handles ${value} data`,
    )
  },
})

/** The rules of a review, in addition to those that are warnings of validation. */
export const REVIEW_RULES: readonly Rule<Agent>[] = [
  classified,
  prompts,
  contacts,
  hosts,
  paths,
  processes,
  addresses,
  examples,
  extensionMembers,
  purposes,
]
