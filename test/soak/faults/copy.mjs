// A copy of the project, where a fault can be put in, built and tested.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** The most time of a run on a machine that does other work, in seconds. */
const MOST_WALL = 900
const CONFIG = 'test/soak/faults/vitest.config.mjs'

export class Copy {
  /** Ends what runs. */
  stop = () => {}

  /** `limit` is the most processor time of a process, in seconds. */
  constructor(folder, limit) {
    Object.assign(this, { folder, limit })
    execFileSync('git', ['clone', '--quiet', '--shared', '.', folder])
    const listed = execFileSync('git', ['ls-files', '-z', '--modified', '--others', '--exclude-standard'])
    const isOwn = (file) => file !== '' && file !== 'node_modules'
    for (const file of String(listed).split('\0').filter(isOwn)) this.restore(file)
    this.restore('dist')
    for (const path of ['node_modules', 'test/node_modules']) symlinkSync(resolve(path), join(folder, path))
  }

  write(file, text) {
    writeFileSync(join(this.folder, file), text)
  }

  /** Makes a file or a folder as it is here. */
  restore(path) {
    rmSync(join(this.folder, path), { recursive: true, force: true })
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    cpSync(path, join(this.folder, path), { recursive: true, force: true })
  }

  /** Runs a script; returns what it prints if it fails. */
  async problemsOf(...args) {
    const run = execute(process.execPath, args, { cwd: this.folder, maxBuffer: 1 << 28 })
    this.stop = () => run.child.kill()
    const { stdout } = await run.catch((error) => error)
    return stdout
  }

  async rebuilds(part) {
    const built = execute(process.execPath, ['test/soak/faults/rebuild.mjs', part], { cwd: this.folder })
    return built.then(
      () => true,
      () => false,
    )
  }

  /**
   * Runs test files one after the other until one fails. `state` is `passed`, `failed`, or `ended` when the time was over
   * in file `at`; `share` is the part of the time that this file took.
   */
  test(files) {
    const env = { ...process.env, BLAZON_TESTS: JSON.stringify(files) }
    const line = `ulimit -St ${this.limit}; exec "$0" node_modules/vitest/vitest.mjs run --config ${CONFIG}`
    const options = { cwd: this.folder, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] }
    const child = spawn('sh', ['-c', line, process.execPath], options)
    const outcome = { state: 'ended', at: files[0], what: '', share: 0 }
    const begin = performance.now()
    let last = begin
    this.stop = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All have ended.
      }
    }
    let patience = setTimeout(this.stop, MOST_WALL * 1000)
    createInterface({ input: child.stdout }).on('line', (text) => {
      const [, word, what] = /^(at|failed|ended|passed)(?: (.*))?$/.exec(text) ?? []
      if (word === undefined || outcome.state === 'failed') return
      if (word === 'at') last = performance.now()
      if (word === 'at') outcome.at = what
      else Object.assign(outcome, { state: word, what })
      // A run with a failed test stops by itself, its browsers and servers with it, unless the fault prevents it.
      if (word !== 'at') {
        clearTimeout(patience)
        patience = setTimeout(this.stop, 15_000)
      }
    })
    return new Promise((done) => {
      child.on('close', () => {
        clearTimeout(patience)
        this.stop()
        outcome.share = (performance.now() - last) / (performance.now() - begin)
        done(outcome)
      })
    })
  }
}
