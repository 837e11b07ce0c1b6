// A settings file for the matrix of permissions.
import type { Document } from '../document/parse.ts'
import { ANY, type Granting, hostSubject, LONGEST_SUBJECT, type Subject, subjectOf } from '../policy/matrix.ts'
import { absolute, type Places } from '../policy/path.ts'
import { elements, isText } from '../text/members.ts'
import { absolutePattern } from './path-pattern.ts'
import { domainIn, LISTS, linePattern } from './permission-rule.ts'
import { SettingsPolicy } from './policy.ts'
import { SettingsSubject } from './subject.ts'

/** Tools that requests of other domains stand for. */
const IN_OTHER_DOMAINS = /^(?:Bash|Read|Edit|Write|WebFetch)$/

/** @throws {TypeError} for a document that is not an object. */
export function settingsGranting(document: Document, places: Places): Granting {
  const { root, rules, permissions } = new SettingsSubject(document)
  const policy = new SettingsPolicy(root, places)
  const all = LISTS.flatMap((list) => rules[list])
  const specifiers = (tool: RegExp) => all.flatMap((rule) => (tool.test(rule.tool) ? (rule.specifier ?? []) : []))
  const folders = ['.', ...elements(permissions, 'additionalDirectories', isText).map(({ value }) => value)]
  return {
    bytes: document.bytes.length,
    names: {
      tools: all.flatMap(({ tool }) => (IN_OTHER_DOMAINS.test(tool) ? [] : subjectOf(withServer(tool)))),
      paths: [
        ...folders.map((folder) => subjectOf(`${absolute(folder, places).replace(/\/$/, '')}/**`)),
        ...specifiers(/^(?:Read|Edit)$/).map((specifier) => pathSubject(absolutePattern(specifier, places))),
      ],
      hosts: specifiers(/^WebFetch$/).flatMap((specifier) => {
        const host = domainIn(specifier)
        return host === undefined ? [] : hostSubject(host)
      }),
      lines: specifiers(/^Bash$/).map((specifier) => subjectOf(linePattern(specifier))),
    },
    decide: (request) => policy.decide(request),
  }
}

/** The name of a server stands for all of its tools. */
const withServer = (tool: string) => (/^mcp__/.test(tool) && tool.split('__').length === 2 ? `${tool}__*` : tool)

/** Also `?`, `[...]` and `\\` are signs of these patterns. A longer one is left out later. */
function pathSubject(text: string): Subject {
  if (text.length > LONGEST_SUBJECT) return { text, example: text }
  return {
    text,
    example: text.replaceAll(/\\(.)|\[.[^\]]*\]|\*+|\?/gs, (_, literal: string | undefined) => literal ?? ANY),
  }
}
