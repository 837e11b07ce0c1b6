// Rules for the members that describe the server itself.
import type { Report, Rule } from '../../frame/rule.ts'
import { objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { isLonger, oneOf, quoted } from '../../text/words.ts'
import type { McpServer } from '../server.ts'
import { SERVER_CARD, SERVER_JSON } from './schema.ts'

const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas/'
const CARD_SCHEMA = `${SCHEMAS}v1/server-card.schema.json`
const SERVER_SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:\d{4}-\d\d-\d\d|draft)\/server\.schema\.json$/

export const cardSchema: Rule<McpServer> = {
  id: 'card-schema',
  code: 'SRV-110',
  title: 'Server card of no known version',
  section: SERVER_CARD,
  severity: 'error',
  why: 'The address of the schema is the version of a server card, and only the first is there.',
  bad: `{"$schema": "${SCHEMAS}v9/server-card.schema.json"}`,
  good: `{"$schema": "${CARD_SCHEMA}"}`,
  check({ root, isCard }, report) {
    const schema = textMember(root, '$schema')
    if (!isCard || schema === undefined || schema.value === CARD_SCHEMA) return
    report(schema.pointer, `Expected ${CARD_SCHEMA}, found ${quoted(schema.value)}`)
  },
}

export const serverSchema: Rule<McpServer> = {
  id: 'server-schema',
  code: 'SRV-111',
  title: 'Schema that is none of server.json',
  section: SERVER_JSON,
  severity: 'warning',
  rulesets: { spec: 'info' },
  why: 'The registry and its tools tell by this address of which version a server.json is, and refuse those of none.',
  bad: '{"$schema": "https://example.com/server.schema.json"}',
  good: `{"$schema": "${SCHEMAS}2025-12-11/server.schema.json"}`,
  check({ root, isCard }, report) {
    const schema = textMember(root, '$schema')
    if (isCard || schema === undefined || SERVER_SCHEMA.test(schema.value)) return
    report(schema.pointer, `Expected ${SCHEMAS}DATE/server.schema.json, found ${quoted(schema.value)}`)
  },
}

const MOST_NAME = 200
export const MOST_WORDS = 100
const MOST_VERSION = 255
const MOST_ICON = 255

export const valueLength: Rule<McpServer> = {
  id: 'value-length',
  code: 'SRV-107',
  title: 'Value that is too long',
  section: SERVER_JSON,
  severity: 'error',
  why: 'The registry refuses it, and clients show a line and not a page.',
  bad: `{"title": "${'W'.repeat(MOST_WORDS + 1)}"}`,
  good: '{"title": "Weather"}',
  check({ root, packages, icons, isCard }, report) {
    const expectShort = (of: PlacedObject, name: string, most: number) => {
      const text = textMember(of, name)
      if (text !== undefined && isLonger(text.value, most)) report(text.pointer, `Expected ${most} characters at most`)
    }
    expectShort(root, 'name', MOST_NAME)
    expectShort(root, 'description', MOST_WORDS)
    expectShort(root, 'title', MOST_WORDS)
    for (const of of [root, ...packages]) expectShort(of, 'version', MOST_VERSION)
    if (!isCard) for (const icon of icons) expectShort(icon, 'src', MOST_ICON)
  },
}

const RANGE = /^\s*[\^~<>=]|\|\||\s-\s|(?:^|\.)[xX*](?:\.|$)/

export const versionRange: Rule<McpServer> = {
  id: 'version-range',
  code: 'SRV-112',
  title: 'Version that is none',
  section: SERVER_JSON,
  severity: 'error',
  why: 'A description is of one version, so that what was looked at is what gets installed: a range, or latest, is another one tomorrow.',
  bad: '{"version": "^1.2.0"}',
  good: '{"version": "1.2.0"}',
  check({ root, packages }, report) {
    for (const of of [root, ...packages]) {
      const version = textMember(of, 'version')
      if (version !== undefined && (version.value === 'latest' || RANGE.test(version.value)))
        report(version.pointer, `Expected one version such as 1.2.0, found ${quoted(version.value)}`)
    }
  },
}

const PICTURES = ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']

export const iconType: Rule<McpServer> = {
  id: 'icon-type',
  code: 'SRV-113',
  title: 'Icon that the registry refuses',
  section: SERVER_JSON,
  severity: 'error',
  why: 'Clients show these types of pictures. A server card may have others.',
  bad: '{"icons": [{"src": "https://example.com/icon.gif", "mimeType": "image/gif"}]}',
  good: '{"icons": [{"src": "https://example.com/icon.png", "mimeType": "image/png"}]}',
  check({ icons, isCard }, report) {
    if (isCard) return
    for (const icon of icons) {
      const type = textMember(icon, 'mimeType')
      if (type !== undefined && !PICTURES.includes(type.value))
        report(type.pointer, `Expected ${oneOf(PICTURES)}, found ${quoted(type.value)}`)
    }
  },
}

export const scriptUrl: Rule<McpServer> = {
  id: 'script-url',
  code: 'SRV-114',
  title: 'Address that is run or read where it is opened',
  section: SERVER_JSON,
  severity: 'error',
  why: 'A page that shows it as a link, or as a picture, runs code of whoever wrote the description, or reads its own files for him.',
  bad: '{"websiteUrl": "javascript:alert(1)"}',
  good: '{"websiteUrl": "https://example.com/weather"}',
  check({ root, icons }, report) {
    expectLeading(root, 'websiteUrl', report)
    expectLeading(objectMember(root, 'repository'), 'url', report)
    for (const icon of icons) expectLeading(icon, 'src', report)
  },
}

/** A data URL of a picture is harmless. */
const PICTURE = /^data:image\/(?!svg)/i

function expectLeading(of: PlacedObject | undefined, name: string, report: Report): void {
  const address = textMember(of, name)
  if (address === undefined || !isScriptUrl(address.value) || (name === 'src' && PICTURE.test(address.value))) return
  report(address.pointer, `${quoted(address.value)} is run or read where it is opened: it leads nowhere else`)
}

export const unreachable: Rule<McpServer> = {
  id: 'unreachable',
  code: 'SRV-115',
  title: 'Server that nobody can reach',
  section: SERVER_JSON,
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'There is no package to install and no address to connect to: the description is of no use to clients.',
  bad: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}',
  good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0", "remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}',
  check({ root }, report) {
    const lists = [root.value['packages'], root.value['remotes']]
    if (lists.every((list) => list === undefined || (Array.isArray(list) && list.length === 0)))
      report('', 'It has neither packages nor remotes')
  },
}
