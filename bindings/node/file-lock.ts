// A lock between processes: a file that only one of them can create.

/** An import would take 4 ms of the start of a short process. */
const fs = process.getBuiltinModule('node:fs')

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
  const until = performance.now() + patience
  while (!isCreated(path, own)) {
    if (performance.now() > until) throw Object.assign(new Error(`${path} is locked`), { code: 'ELOCKED' })
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
