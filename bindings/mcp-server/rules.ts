// Rules for the members that describe the server itself; for inputs of users, and placeholder texts of the template; for
// packages and transports.

import { misspelledRule } from '../frame/misspelled.ts'
import { placeholderRule } from '../frame/placeholders.ts'
import { shapeOnce } from '../frame/shape.ts'
import { type Report, type Rule, rule } from '../frame/subject.ts'
import { isLoopback } from '../net/guard.ts'
import { hostOf, isScriptUrl } from '../text/host-name.ts'
import {
  elements,
  isObject,
  isText,
  objectMember,
  type PlacedObject,
  repetitions,
  textIn,
  textMember,
  textsOf,
  valueIn,
} from '../text/members.ts'
import { isLonger, oneOf, quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }
import { argumentsOf, inputsOf, type McpServer, SCHEMAS, SERVER_READING } from './subject.ts'

const SERVER_SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:\d{4}-\d\d-\d\d|draft)\/server\.schema\.json$/

const MOST_NAME = 200
export const MOST_WORDS = 100
const MOST_VERSION = 255
const MOST_ICON = 255

const RANGE = /^\s*[\^~<>=]|\|\||\s-\s|(?:^|\.)[xX*](?:\.|$)/

const PICTURES = ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']

/** A data URL of a picture is harmless. */
const PICTURE = /^data:image\/(?!svg)/i

function expectLeading(of: PlacedObject | undefined, name: string, report: Report): void {
  const address = textMember(of, name)
  if (address === undefined || !isScriptUrl(address.value) || (name === 'src' && PICTURE.test(address.value))) return
  report(address.pointer, `${quoted(address.value)} is run or read where it is opened: it leads nowhere else`)
}

/** A value with a variable that the client asks for. */
const TEMPLATE = /\{[A-Za-z_]\w*\}/

/** The maximum number of undeclared variables that are reported for one address. */
const MOST_VARIABLES = 20

function undeclaredVariables(transport: PlacedObject | undefined, declared: readonly string[]): [string, string][] {
  const url = textMember(transport, 'url')
  const used = new Set(Array.from(url?.value.matchAll(/\{([A-Za-z_]\w*)\}/g) ?? [], ([, name]) => name!))
  const known = new Set(declared)
  const unknown = [...used].filter((name) => !known.has(name)).slice(0, MOST_VARIABLES)
  return unknown.map((name) => [url!.pointer, `${quoted(`{${name}}`)} is declared nowhere`])
}

/**
 * The variables that the address of a package may use: the names of its arguments, without dashes, and of its
 * environment.
 */
function variableNames(one: PlacedObject): string[] {
  const inputs = [...argumentsOf(one), ...elements(one, 'environmentVariables', isObject)]
  return inputs.flatMap((input) =>
    ['name', 'valueHint'].flatMap((name) => textIn(input, name)?.replace(/^--?/, '') ?? []),
  )
}

export const serverShape = shapeOnce(schema)

/** In the order of the document. */
export const RULES: readonly Rule<McpServer>[] = [
  rule(FINDINGS.CARD_SCHEMA, (server, report) => {
    const other = SERVER_READING.otherVersion?.(server)
    if (other !== undefined) report(other.pointer, other.detail)
  }),
  rule(FINDINGS.SERVER_SCHEMA, ({ root, isCard }, report) => {
    const schema = textMember(root, '$schema')
    if (isCard || schema === undefined || SERVER_SCHEMA.test(schema.value)) return
    report(schema.pointer, `Expected ${SCHEMAS}DATE/server.schema.json, found ${quoted(schema.value)}`)
  }),
  rule(FINDINGS.VALUE_LENGTH, ({ root, packages, icons, isCard }, report) => {
    const expectShort = (of: PlacedObject, name: string, most: number) => {
      const text = textMember(of, name)
      if (text !== undefined && isLonger(text.value, most)) report(text.pointer, `Expected ${most} characters at most`)
    }
    expectShort(root, 'name', MOST_NAME)
    expectShort(root, 'description', MOST_WORDS)
    expectShort(root, 'title', MOST_WORDS)
    for (const of of [root, ...packages]) expectShort(of, 'version', MOST_VERSION)
    if (!isCard) for (const icon of icons) expectShort(icon, 'src', MOST_ICON)
  }),
  rule(FINDINGS.VERSION_RANGE, ({ root, packages }, report) => {
    for (const { pointer, value } of textsOf([root, ...packages], 'version'))
      if (value === 'latest' || RANGE.test(value))
        report(pointer, `Expected one version such as 1.2.0, found ${quoted(value)}`)
  }),
  rule(FINDINGS.ICON_TYPE, ({ icons, isCard }, report) => {
    if (isCard) return
    for (const { pointer, value } of textsOf(icons, 'mimeType'))
      if (!PICTURES.includes(value)) report(pointer, `Expected ${oneOf(PICTURES)}, found ${quoted(value)}`)
  }),
  rule(FINDINGS.SCRIPT_URL, ({ root, icons }, report) => {
    expectLeading(root, 'websiteUrl', report)
    expectLeading(objectMember(root, 'repository'), 'url', report)
    for (const icon of icons) expectLeading(icon, 'src', report)
  }),
  rule(FINDINGS.UNREACHABLE, ({ root }, report) => {
    const lists = [root.value['packages'], root.value['remotes']]
    if (lists.every((list) => list === undefined || (Array.isArray(list) && list.length === 0)))
      report('', 'It has neither packages nor remotes')
  }),
  rule(FINDINGS.TRANSPORT_URL, ({ packages }, report) => {
    for (const transport of packages.flatMap((one) => objectMember(one, 'transport') ?? [])) {
      const type = textIn(transport, 'type')
      if ((type === 'streamable-http' || type === 'sse') && !Object.hasOwn(transport.value, 'url'))
        report(transport.pointer, `Expected a url for ${type}`)
    }
  }),
  rule(FINDINGS.UNDECLARED_VARIABLE, ({ packages, remotes }, report) => {
    for (const remote of remotes) {
      const declared = Object.keys(objectMember(remote, 'variables')?.value ?? {})
      for (const [pointer, detail] of undeclaredVariables(remote, declared)) report(pointer, detail)
    }
    for (const one of packages) {
      for (const [pointer, detail] of undeclaredVariables(objectMember(one, 'transport'), variableNames(one)))
        report(pointer, detail)
    }
  }),
  rule(FINDINGS.PLAIN_HTTP, ({ remotes }, report) => {
    for (const url of textsOf(remotes, 'url')) {
      if (url.value.startsWith('http://') && !isLoopback(hostOf(url.value)?.toLowerCase() ?? ''))
        report(url.pointer, `Expected https, found ${quoted(url.value)}`)
    }
  }),
  rule(FINDINGS.REPEATED_PACKAGE, ({ packages }, report) => {
    const named = packages.filter((one) => isText(one.value['identifier']))
    // One package may have several transports.
    const keyOf = (one: PlacedObject) => {
      const { registryType, identifier, version } = one.value
      return JSON.stringify([registryType, identifier, version, valueIn(one, 'transport', 'type')])
    }
    for (const [one, first] of repetitions(named, keyOf)) {
      const related = [{ pointer: first.pointer, message: 'the same package' }]
      report(`${one.pointer}/identifier`, `${quoted(textIn(one, 'identifier')!)} is there already`, { related })
    }
  }),
  rule(FINDINGS.CARD_PACKAGES, ({ root, isCard }, report) => {
    if (isCard && Object.hasOwn(root.value, 'packages'))
      report('/packages', 'Server cards have remotes only', { atName: true })
  }),
  rule(FINDINGS.ARGUMENT_FORM, ({ packages }, report) => {
    for (const { pointer, value } of packages.flatMap(argumentsOf)) {
      const lacks = (...names: string[]) => !names.some((name) => Object.hasOwn(value, name))
      if (value['type'] === 'named' && lacks('name')) report(pointer, 'Expected a name for a named argument')
      if (value['type'] === 'positional' && lacks('value', 'valueHint'))
        report(pointer, 'Expected a value or a valueHint for a positional argument')
    }
  }),
  rule(FINDINGS.SECRET_VALUE, (server, report) => {
    for (const input of inputsOf(server)) {
      if (input.value['isSecret'] !== true) continue
      for (const text of [textMember(input, 'value'), textMember(input, 'default')]) {
        // Findings never include the value itself.
        if (text !== undefined && text.value !== '' && !TEMPLATE.test(text.value))
          report(text.pointer, 'It is said to be a secret: leave the value to the user')
      }
    }
  }),
  misspelledRule<McpServer>(FINDINGS.MISSPELLED_MEMBER, serverShape),
  placeholderRule(FINDINGS.PLACEHOLDER, [
    [['name'], 'your domain, reversed, and the name of the server'],
    [['description'], 'what the server does, in 100 characters'],
    [['remotes', '*', 'url'], 'the address that the server is reached at'],
  ]),
]
