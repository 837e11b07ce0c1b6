// Rules for the members that describe the server itself.
import type { Report, Rule } from '../../frame/rule.ts'
import { objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { isLonger, oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import type { McpServer } from '../server.ts'

const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas/'
const CARD_SCHEMA = `${SCHEMAS}v1/server-card.schema.json`
const SERVER_SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:\d{4}-\d\d-\d\d|draft)\/server\.schema\.json$/

export const cardSchema: Rule<McpServer> = {
  ...FINDINGS.CARD_SCHEMA,
  check({ root, isCard }, report) {
    const schema = textMember(root, '$schema')
    if (!isCard || schema === undefined || schema.value === CARD_SCHEMA) return
    report(schema.pointer, `Expected ${CARD_SCHEMA}, found ${quoted(schema.value)}`)
  },
}

export const serverSchema: Rule<McpServer> = {
  ...FINDINGS.SERVER_SCHEMA,
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
  ...FINDINGS.VALUE_LENGTH,
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
  ...FINDINGS.VERSION_RANGE,
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
  ...FINDINGS.ICON_TYPE,
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
  ...FINDINGS.SCRIPT_URL,
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
  ...FINDINGS.UNREACHABLE,
  check({ root }, report) {
    const lists = [root.value['packages'], root.value['remotes']]
    if (lists.every((list) => list === undefined || (Array.isArray(list) && list.length === 0)))
      report('', 'It has neither packages nor remotes')
  },
}
