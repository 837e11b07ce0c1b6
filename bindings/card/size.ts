// The size limit: a card travels in one message (Agent Card section 7.6).
import { compactJson } from '../document/fixes.ts'
import type { Document } from '../document/parse.ts'
import { ARRAY, OBJECT } from '../document/tape.ts'
import type { Diagnostic } from '../document/types.ts'
import { Findings } from '../frame/check.ts'
import type { SignResult } from '../frame/source.ts'
import { visible } from '../text/hidden.ts'
import { escapeToken } from '../text/members.ts'
import { CARD_SIZE } from './findings.ts'

/** The largest message of AIP. */
export const MOST_OCTETS = 65_535

/** How many of the largest members the finding lists. */
const NAMED = 5

interface Member {
  readonly pointer: string
  readonly octets: number
}

/** Reports a card that is too large, and its largest members. */
export function checkOctets(document: Document, findings: Findings): void {
  const octets = document.bytes.length
  if (octets <= MOST_OCTETS) return
  const heaviest = heaviestMembers(document)
  const names = heaviest.map(({ pointer, octets }) => `${visible(pointer)} ${octets}`).join(', ')
  const related = heaviest.map(({ pointer, octets }) => ({ pointer, message: `${octets} octets` }))
  const compact = compactJson(document).length
  const hint =
    compact <= MOST_OCTETS
      ? `without white space it has ${compact}: blazon fmt --compact`
      : `without white space it has ${compact}: shorten the heaviest members, or leave them out`
  const detail = `expected at most ${MOST_OCTETS} octets, found ${octets}; heaviest: ${names}`
  findings.add(CARD_SIZE, 'error', '', detail, { related, fix: { hint } })
}

/** The members of the card. If one holds more than half of the card, its own members are listed instead. */
function heaviestMembers({ tape }: Document): readonly Member[] {
  const members: Member[] = []
  const add = (container: number, base: string) => {
    const isObject = tape.kind(container) === OBJECT
    for (const [index, child] of tape.children(container).entries()) {
      const value = isObject ? child + 1 : child
      const token = isObject ? escapeToken(tape.text(child).slice(0, LONGEST_NAME)) : String(index)
      const octets = tape.end(value) - tape.start(child)
      const pointer = `${base}/${token}`
      const isList = tape.kind(value) === ARRAY || tape.kind(value) === OBJECT
      if (base === '' && isList && octets * 2 > tape.end(0)) add(value, pointer)
      else members.push({ pointer, octets })
    }
  }
  add(0, '')
  return members.sort((a, b) => b.octets - a.octets).slice(0, NAMED)
}

const LONGEST_NAME = 60

/** The result of making a card, with its warnings. Refuses a card that is larger than a message (section 7.6). */
export function made(document: Document, before: readonly Diagnostic[]): SignResult {
  const findings = new Findings(1)
  checkOctets(document, findings)
  if (!findings.hasErrors) return { document, bytes: document.bytes, diagnostics: before }
  return { document: undefined, bytes: undefined, diagnostics: findings.diagnostics(document, before) }
}
