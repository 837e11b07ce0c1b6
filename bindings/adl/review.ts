// The facts that a published definition reveals (ADL 18.4, 18.9), one rule each. They are not faults, so validation
// doesn't report them.

import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import { Findings } from '../frame/collect.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import type { Rule } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedValue, textMember, valueIn } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { extensions, isSensitive, patterns, uris } from './places.ts'
import { personalContact, privateHosts, secrets } from './rules/identifiers.ts'
import { ADL_READING, type Agent } from './subject.ts'

export declare namespace review {
  interface Result {
    /** True when it may be published without the approval of a reviewer (ADL 18.4). */
    readonly publishable: boolean
    /** The facts that publication reveals, in the order of the document, each with advice in `fix`. */
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** The rules that are also warnings of validation. They are more specific than the lists of the review. */
const WARNINGS: readonly Rule<Agent>[] = [privateHosts, personalContact, secrets]

const MOST = 1000

/**
 * Lists what publishing a definition reveals (ADL 18.2, 18.4, 18.9): prompts, contacts, hosts, addresses, paths,
 * examples.
 *
 * @example
 * review('{"system_prompt": "Secret"}').diagnostics[0].code // 'BADL-181'
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function review(source: Source, { file }: FileOptions = {}): review.Result {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) return { publishable: false, diagnostics }
  const findings = new Findings(MOST)
  const told = new Set<string>()
  for (const rule of [...WARNINGS, ...REVIEW_RULES]) {
    // A secret does more harm in a published document than in a stored one.
    const severity = rule === secrets ? 'error' : rule.severity
    const isWarning = WARNINGS.includes(rule)
    rule.check(
      agent,
      (pointer, detail, remarks) => {
        if (told.has(pointer)) return
        if (isWarning) told.add(pointer)
        findings.add(rule, severity, pointer, detail, remarks)
      },
      { now: new Date(0) },
    )
  }
  return { publishable: !findings.hasErrors, diagnostics: findings.diagnostics(agent.document, diagnostics) }
}

/** Something that the document reveals. */
type Sight = PlacedValue<string>

interface Reveals extends FindingKind {
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

/** The rules of a review, in addition to those that are warnings of validation. */
export const REVIEW_RULES: readonly Rule<Agent>[] = [
  rule({
    ...FINDINGS.REVIEW_CLASSIFICATION,
    advice: 'publish it to those who are authorized only, or have somebody review it first',
    find({ classification }) {
      const sensitivity = textMember(classification, 'sensitivity')
      return of(isSensitive(sensitivity?.value) ? [sensitivity] : [], (value) => `The agent handles ${value} data`)
    },
  }),
  rule({
    ...FINDINGS.REVIEW_PROMPT,
    advice: 'leave it out of the public copy: a runtime gets it with the whole definition',
    find({ root, prompts }) {
      const own = valueIn(root, 'system_prompt') === undefined ? [] : [{ pointer: '/system_prompt', value: '' }]
      const templates = prompts.map((prompt) => textMember(prompt, 'template'))
      return [...of(own, () => 'The system prompt'), ...of(templates, () => 'The template of a prompt')]
    },
  }),
  rule({
    ...FINDINGS.REVIEW_CONTACT,
    advice: 'use the address of an office, or leave it out',
    find({ provider, metadata }) {
      const authors = elements(metadata, 'authors', isObject)
      const texts = [
        textMember(provider, 'contact'),
        ...authors.flatMap((author) => [textMember(author, 'name'), textMember(author, 'email')]),
      ]
      return of(texts, (text) => `${quoted(text)}`)
    },
  }),
  rule({
    ...FINDINGS.REVIEW_HOST,
    advice: 'name hosts that are public anyway, or a wider domain',
    find: (agent) => patternsOf(agent, 'host', (host) => `The agent may reach ${quoted(host)}`),
  }),
  rule({
    ...FINDINGS.REVIEW_PATH,
    advice: 'generalize it, or leave the domain out of the public copy',
    find: (agent) => patternsOf(agent, 'path', (path) => `The path ${quoted(path)}`),
  }),
  rule({
    ...FINDINGS.REVIEW_PROCESS,
    advice: 'generalize it, or leave the domain out of the public copy',
    find: (agent) => [
      ...patternsOf(agent, 'env', (name) => `The variable ${quoted(name)}`),
      ...patternsOf(agent, 'command', (name) => `The command ${quoted(name)}`),
    ],
  }),
  rule({
    ...FINDINGS.REVIEW_ADDRESS,
    advice: 'see that it is meant for the public',
    find: (agent) =>
      of(
        uris(agent).filter(({ pointer }) => pointer !== '/$schema' && pointer !== '/id'),
        (uri) => `The address ${quoted(uri)}`,
      ),
  }),
  rule({
    ...FINDINGS.REVIEW_EXAMPLE,
    advice: 'see that it is made up',
    find: ({ tools }) =>
      tools.flatMap((tool) =>
        elements(tool, 'examples', isObject).map(({ pointer }) => ({ pointer, value: 'An example of a call' })),
      ),
  }),
  rule({
    ...FINDINGS.REVIEW_EXTENSION,
    advice: 'see that it is meant for the public',
    find: (agent) => extensions(agent).map((pointer) => ({ pointer, value: 'An extension member' })),
  }),
  rule({
    ...FINDINGS.REVIEW_TOOL_DATA,
    advice: 'leave the classification of single tools to the whole definition',
    find({ tools, resources }) {
      const own = [...tools, ...resources].map((entry) => objectMember(entry, 'data_classification'))
      const texts = own.map((classification) => textMember(classification, 'sensitivity'))
      return of(
        texts.filter((text) => text?.value !== 'public'),
        (value) => `It handles ${value} data`,
      )
    },
  }),
]
