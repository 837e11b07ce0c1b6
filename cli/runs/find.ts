// Finds runs: in a file, in a folder, by their session, or the latest one.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { parse } from '../../bindings/document/parse.ts'
import { splitLines } from '../../bindings/document/split-lines.ts'
import { timeOf } from '../../bindings/schema/times.ts'
import { isText, type JsonObject, objectOf, valueAt } from '../../bindings/text/members.ts'
import { type Tools, UsageError, whyUnread } from '../command.ts'
import { isUrl } from '../inputs.ts'
import { counted } from '../report/report.ts'
import { isStreamName } from './stream-files.ts'

/** A folder may have any number of files; the rest is left out, and the command says so. */
const MOST_RUNS = 100_000
/** Shorter beginnings of an id fit too many runs. */
const SHORTEST_ID = 4

/** Where hooks write by default. */
export const runFolder = (): string => `${homedir()}/.blazon/runs`

/** A stream of a folder, and what its first line says. */
export interface FoundRun {
  readonly file: string
  /** The members of the record that are known at its start. */
  readonly head: JsonObject
  /** In milliseconds; 0 for a run that names no valid time. */
  readonly time: number
}

/** The streams of a folder, the latest first. Other files are left out. */
export async function runsIn(folder: string, { host, note }: Tools): Promise<readonly FoundRun[]> {
  const entries = await host.list(resolve(host.cwd, folder)).catch((error: unknown) => {
    throw new UsageError('no-folder', `${folder} cannot be read: ${whyUnread(error)}`, 'name the folder of the runs')
  })
  if (entries === undefined) throw noFolder(folder)
  const names = entries.filter(({ kind, name }) => kind === 'file' && isStreamName(name))
  if (names.length > MOST_RUNS) note(`${folder}: only the first ${MOST_RUNS} of ${names.length} runs were read`)
  const runs: FoundRun[] = []
  for (const { name } of names.slice(0, MOST_RUNS)) {
    const file = `${folder}${/[/\\]$/.test(folder) ? '' : '/'}${name}`
    const head = await headOf(host.open(resolve(host.cwd, file)))
    if (head === undefined) note(`${file}: left out, because it does not begin as a run`)
    else runs.push({ file, head, time: timeIn(head) })
  }
  return runs.sort((a, b) => b.time - a.time || (a.file < b.file ? 1 : -1))
}

function noFolder(folder: string): UsageError {
  const [what, hint] =
    folder === runFolder()
      ? [`no run is recorded yet in ${folder}`, 'blazon runs hook --install claude --yes records the next session']
      : isUrl(folder)
        ? [`${folder} is not a folder`, `a browser shows the runs of a server at /runs, with a token as the password`]
        : [`${folder} is not a folder`, 'name the folder of the runs']
  return new UsageError('no-folder', what, hint)
}

const timeIn = ({ started_at: text }: JsonObject) => (isText(text) ? (timeOf(text) ?? 0) : 0)

/** The record in the first line of a stream; undefined for another file, and for one that cannot be read. */
async function headOf(source: ReturnType<Tools['host']['open']>): Promise<JsonObject | undefined> {
  try {
    for await (const { bytes } of splitLines(source)) {
      const value = objectOf(bytes && parse(bytes).document?.value)
      return value['type'] === 'run_started' ? objectOf(value['run']) : undefined
    }
  } catch {
    // Removed in the meantime, or locked: other runs can still be shown.
  }
  return undefined
}

export const sessionOf = (head: JsonObject): string => {
  const id = valueAt(head, '/context/session_id')
  return isText(id) ? id : ''
}

/** The files that a name means: a file itself, the latest run of a folder, or the runs of a session by time. */
export async function runsNamed(name: string, folder: string | undefined, tools: Tools): Promise<readonly string[]> {
  const { host } = tools
  const path = resolve(host.cwd, name)
  if (name !== 'latest' && (name === '-' || isUrl(name) || host.stamp(path) !== undefined)) {
    const isFolder = name !== '-' && !isUrl(name) && (await host.list(path).catch(() => undefined)) !== undefined
    return isFolder ? latestOf(name, tools) : [name]
  }
  if (await host.list(path).catch(() => undefined)) return latestOf(name, tools)
  const within = folder ?? runFolder()
  if (name === 'latest') return latestOf(within, tools)
  // What looks like a file is one, and its absence is reported.
  if (/[/\\]|\.\w+$/.test(name) || name.length < SHORTEST_ID) return [name]
  const found = (await runsIn(within, tools)).filter(({ head }) =>
    [head['run_id'], sessionOf(head)].some((id) => isText(id) && id.startsWith(name)),
  )
  if (found.length > 0) return found.map(({ file }) => file).reverse()
  throw new UsageError('unknown-run', `no file, run or session "${name}" in ${within}`, 'see blazon runs list')
}

async function latestOf(folder: string, tools: Tools): Promise<readonly string[]> {
  const [first, ...others] = await runsIn(folder, tools)
  if (first === undefined)
    throw new UsageError('unknown-run', `${folder} has no runs`, 'record some with blazon runs hook')
  if (others.length > 0) tools.say(`${first.file}, the latest of ${counted(others.length + 1, 'run')} in ${folder}`)
  return [first.file]
}
