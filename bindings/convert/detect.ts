import type { Document } from '../document/parse.ts'
import { detectKind, fits } from '../frame/detect.ts'
import type { JsonObject } from '../text/members.ts'
import { type ConvertFormat, ROWS, type Row } from './formats.ts'

/** Detects the format of a document by its kind, or else by members that only one format has. */
export function detect(document: Document, members: JsonObject): ConvertFormat | undefined {
  const kind = detectKind(document)
  return choose(members, (row) => row.kind === kind) ?? choose(members, (row) => row.kind === undefined)
}

function choose(members: JsonObject, concerns: (row: Row) => boolean): ConvertFormat | undefined {
  const fitting = ROWS.filter((row: Row) => concerns(row) && (row.tells === undefined || fits(row.tells, members)))
  return fitting.find(({ format }) => !fitting.some((other: Row) => other.before?.includes(format)))?.format
}
