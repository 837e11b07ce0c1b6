import { definitionGranting } from '../../bindings/adl/granting.ts'
import { settingsGranting } from '../../bindings/claude-settings/granting.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import {
  type Answer,
  differs,
  type Granting,
  type MatrixRow,
  OUTCOME_WORDS,
  permissionMatrix,
  shortPaths,
} from '../../bindings/policy/matrix.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { button, make, type Row, restNote, table } from '../dom.ts'
import { proofOf } from '../proof.ts'
import type { GoTo, Readable } from './view.ts'

/** The kinds of documents that grant something. */
export const GRANTING = ['adl', 'claude-settings'] as const

/** The page knows neither folder: rows show them as `.` and `~`. */
const PLACES = { root: '/project', home: '/home/user' }
const shorten = shortPaths(PLACES.root, PLACES.home)

/** One document of the matrix. */
export interface Side {
  readonly granting: Granting
  readonly goTo: GoTo
}

/** Without Web Crypto there is no proof, and a signed definition grants nothing. */
export const proofIfAny = (examination: Readable): Promise<Proof | undefined> =>
  proofOf(examination).catch(() => undefined)

export async function grantingOf(examination: Readable): Promise<Granting> {
  const { document, kind } = examination
  if (kind === 'claude-settings') return settingsGranting(document, PLACES)
  return definitionGranting(document, { proof: await proofIfAny(examination) })
}

const SIGNS = { allow: ['good', '✓'], ask: ['care', '?'], deny: ['bad', '✕'] } as const

export const signed = (outcome: Answer['outcome']) => `${SIGNS[outcome][1]} ${OUTCOME_WORDS[outcome]}`
export const toneOf = (outcome: Answer['outcome']) => SIGNS[outcome][0]

const GROUPS: Readonly<Record<MatrixRow['what'], string>> = {
  tool: 'Tools',
  read: 'Files',
  write: 'Files',
  host: 'Hosts',
  command: 'Programs without a shell',
  line: 'Lines for a shell',
  variable: 'Variables',
  limit: 'Limits',
}

/** What each document answers, with the rule that decides. */
export function matrixTable(sides: readonly Side[]): Node[] {
  const { rows, leftOut } = permissionMatrix(sides.map(({ granting }) => granting))
  const heads = sides.length === 1 ? ['Answer'] : ['This document', 'The other']
  const lines = rows.flatMap((row, i): Row[] => {
    const line = [subjectOf(row), ...row.cells.map((cell, side) => cellOf(cell, sides[side]!))]
    const group = GROUPS[row.what]
    return i > 0 && group === GROUPS[rows[i - 1]!.what] ? [line] : [group, line]
  })
  return [table('Answers', ['Request', ...heads], lines), ...restNote(leftOut, 'row')]
}

function subjectOf(row: MatrixRow): Node {
  const { what, subject } = row
  const access = what === 'read' || what === 'write' ? `${what} ` : ''
  const marks = differs(row) ? [make('div', 'where', 'differs')] : []
  return make('div', '', [access, make('code', '', shorten(subject)), ...marks])
}

function cellOf({ outcome, reason, decidedBy }: Answer, { goTo }: Side): Node {
  const answer = make('span', toneOf(outcome), signed(outcome))
  answer.title = reason
  if (decidedBy === undefined) return answer
  const go = button(decidedBy.replace(/^\/permissions\//, '') || 'the whole document', () => goTo(decidedBy), 'link')
  go.title = visibleText(decidedBy)
  return make('div', '', [answer, ' ', go])
}
