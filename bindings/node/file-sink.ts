// Keeps the lines of runs in a folder: a file for each run, and next to it its checkpoints and committed values.
import type { RunSink } from '../runs/record/sink.ts'
import { joinBytes, sameBytes } from '../text/bytes.ts'

const fs = process.getBuiltinModule('node:fs')

const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW = 0 } = fs.constants
const LINE_FEED = 0x0a
const RUN_ID = /^[0-9a-f-]{36}$/

/**
 * A sink that writes `RUN_ID.ndjson`, `RUN_ID.checkpoints` and `RUN_ID.salts` to a folder. Only the user can read them.
 * A line is on disk before `append` resolves. Several processes may write to one folder.
 *
 * @example
 * const recorder = await createRecorder(head, { sink: fileSink('runs') })
 */
export function fileSink(folder: string): Required<RunSink> {
  return fileSinkAfter(folder, new Map())
}

/** How many lines and bytes a file has. */
export interface Extent {
  readonly lines: number
  readonly bytes: number
}

/** A sink that does not read the files of these runs again while they have the known size. It updates the map. */
export function fileSinkAfter(folder: string, known: Map<string, Extent>): Required<RunSink> {
  const pathOf = (runId: string, ending: string) => {
    if (!RUN_ID.test(runId)) throw new TypeError(`runId: expected a UUID, got ${JSON.stringify(runId)}`)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    return `${folder}/${runId}.${ending}`
  }
  const add = (path: string, bytes: Uint8Array) =>
    withLock(`${path}.lock`, () => withFile(path, (file) => write(file, bytes)))
  return {
    async append(runId, size, lines) {
      const path = pathOf(runId, 'ndjson')
      await withLock(`${path}.lock`, () =>
        withFile(path, async (file) => {
          known.set(runId, await appendLines(file, known.get(runId), size, lines))
        }),
      )
    },
    async checkpoint(runId, note) {
      const path = pathOf(runId, 'checkpoints')
      await add(path, fs.existsSync(path) ? joinBytes([Uint8Array.of(LINE_FEED), note]) : note)
    },
    openings: async (runId, rows) => add(pathOf(runId, 'salts'), rows),
  }
}

/** Opens a file for appending; a link is refused, because another user may have put it there. */
async function withFile(path: string, work: (file: number) => Promise<void>): Promise<void> {
  const isNew = !fs.existsSync(path)
  const file = fs.openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    await work(file)
  } finally {
    fs.closeSync(file)
  }
  if (!isNew || process.platform === 'win32') return
  // The name of a new file is safe only once its folder is.
  const folder = fs.openSync(path.slice(0, path.lastIndexOf('/')), 'r')
  await flush(folder).finally(() => fs.closeSync(folder))
}

async function appendLines(
  file: number,
  known: Extent | undefined,
  size: number,
  lines: readonly Uint8Array[],
): Promise<Extent> {
  const isAsLeft = known?.lines === size && known.bytes === fs.fstatSync(file).size
  const added = joinBytes(isAsLeft ? lines : linesToAdd(file, size, lines))
  await write(file, added)
  return { lines: size + lines.length, bytes: fs.fstatSync(file).size }
}

function linesToAdd(file: number, size: number, lines: readonly Uint8Array[]): readonly Uint8Array[] {
  const { starts, end } = lineStarts(readAll(file, 0, fs.fstatSync(file).size))
  const held = starts.length
  if (held < size) throw new RangeError(`size: the file has ${held} lines, got ${size}`)
  // A process that died while it wrote leaves a part of a line, which nobody was promised.
  if (fs.fstatSync(file).size > end) fs.ftruncateSync(file, end)
  const repeated = joinBytes(lines.slice(0, held - size))
  const from = starts[size] ?? end
  if (end - from !== repeated.length || !sameBytes(readAll(file, from, end), repeated))
    throw new RangeError(`size: the file has other lines after the first ${size}`)
  return lines.slice(held - size)
}

/** Writes everything or, on a full disk, nothing. */
async function write(file: number, bytes: Uint8Array): Promise<void> {
  const { size } = fs.fstatSync(file)
  try {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at)
    await flush(file)
  } catch (error) {
    fs.ftruncateSync(file, size)
    throw error
  }
}

const flush = (file: number) =>
  new Promise<void>((resolve, reject) => fs.fsync(file, (error) => (error ? reject(error) : resolve())))

/** The whole lines of a file after some bytes, each with its line feed; none of a missing file. */
export function linesAfter(path: string, from: number): readonly Uint8Array[] {
  if (!fs.existsSync(path)) return []
  const file = fs.openSync(path, 'r')
  try {
    const bytes = readAll(file, from, Math.max(from, fs.fstatSync(file).size))
    const { starts, end } = lineStarts(bytes)
    return starts.map((start, i) => bytes.subarray(start, starts[i + 1] ?? end))
  } finally {
    fs.closeSync(file)
  }
}

/** Where whole lines begin, and where the last one ends. */
function lineStarts(bytes: Uint8Array): { readonly starts: readonly number[]; readonly end: number } {
  const starts: number[] = []
  let end = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, end)) {
    starts.push(end)
    end = at + 1
  }
  return { starts, end }
}

function readAll(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  for (let at = 0; at < bytes.length; ) {
    const read = fs.readSync(file, bytes, at, bytes.length - at, from + at)
    if (read === 0) return bytes.subarray(0, at)
    at += read
  }
  return bytes
}

/** A holder has the lock for milliseconds; one that is older was suspended, or its process is of another machine. */
const STALE_MS = 30_000
/** A process that is killed while it creates the lock leaves an empty one. */
const EMPTY_MS = 2000

/**
 * Does something while no other process does it.
 *
 * @throws an error with the code ELOCKED when another process has the lock for longer than `patience` milliseconds.
 */
export async function withLock<Made>(path: string, work: () => Promise<Made>, patience = 5000): Promise<Made> {
  const own = `${process.pid} ${crypto.randomUUID()}`
  // `performance` would load nine modules of Node's.
  const until = process.uptime() + patience / 1000
  while (!isCreated(path, own)) {
    if (process.uptime() > until) throw Object.assign(new Error(`${path} is locked`), { code: 'ELOCKED' })
    if (isStale(path)) removeStale(path)
    else await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 10))
  }
  try {
    return await work()
  } finally {
    if (contentOf(path) === own) fs.unlinkSync(path)
  }
}

function isCreated(path: string, content: string): boolean {
  try {
    fs.writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function contentOf(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isStale(path: string): boolean {
  const [content, stats] = [contentOf(path), fs.statSync(path, { throwIfNoEntry: false })]
  if (content === undefined || stats === undefined) return false
  const age = Date.now() - stats.mtimeMs
  return age > STALE_MS || (content === '' ? age > EMPTY_MS : !isRunning(Number.parseInt(content, 10)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A second lock, held for microseconds, so that nobody removes the lock that another one just created. */
function removeStale(path: string): void {
  const second = `${path}.stale`
  if (!isCreated(second, String(process.pid))) {
    if (isStale(second)) fs.rmSync(second, { force: true })
    return
  }
  try {
    if (isStale(path)) fs.rmSync(path, { force: true })
  } finally {
    fs.rmSync(second, { force: true })
  }
}
