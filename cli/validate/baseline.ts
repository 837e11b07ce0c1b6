// Findings that were there before: they are known by fingerprints, and only others are shown.
import { dirname, relative, resolve } from 'node:path'
import schema from '../../docs/schema/baseline.schema.json' with { type: 'json' }
import { fingerprintsOf } from '../fingerprint.ts'
import type { Host } from '../host.ts'
import { isUrl } from '../inputs/expand.ts'
import type { Result } from '../outcome.ts'
import { jsonText } from '../report/report.ts'
import { counted, shorten, word } from '../report/words.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'
import { NOT_LOOKED_AT } from './checker.ts'
import { parseAs } from './parse-configuration.ts'
import { readSettings } from './read-configuration.ts'

const LARGEST = 1 << 26
const MOST = schema.properties.findings.maxItems

interface Entry {
  readonly file: string
  readonly fingerprint: string
}

/** Findings that end the checking of a document: knowing them would mean knowing all findings behind them unseen. */
const NEVER_KNOWN: readonly string[] = [...NOT_LOOKED_AT, 'DOC-122', 'DOC-187', 'DOC-188']

export class Baseline {
  readonly #path: string
  readonly #name: string
  readonly #host: Host
  readonly #known = new Map<string, Set<string>>()

  private constructor(path: string, host: Host) {
    this.#path = path
    this.#name = relative(host.cwd, path)
    this.#host = host
  }

  static async read(path: string, host: Host): Promise<Baseline> {
    const baseline = new Baseline(path, host)
    const findings = await baseline.#entries()
    if (findings === undefined) {
      const hint = `blazon validate FILE --write-baseline ${word(baseline.#name)} writes it`
      throw new UsageError('baseline', `${baseline.#name}: there is no such baseline`, hint)
    }
    for (const { file, fingerprint } of findings) baseline.#knownIn(file).add(fingerprint)
    return baseline
  }

  /** Takes the findings of results as known, and writes them in place of the file's entries for these documents. */
  static async write(path: string, results: readonly Result[], host: Host): Promise<Baseline> {
    const baseline = new Baseline(path, host)
    const found = results.filter(isKnowable).flatMap((result) => {
      const fingerprints = fingerprintsOf(result)
      return result.diagnostics.map(({ code, rule, source }, i) => {
        return {
          file: baseline.#place(result),
          fingerprint: fingerprints[i]!,
          code,
          rule,
          pointer: shorten(source.pointer),
        }
      })
    })
    const findings = [...(await baseline.#kept(results, found)), ...found]
    for (const { file, fingerprint } of findings) baseline.#knownIn(file).add(fingerprint)
    if (findings.length > MOST) {
      throw new UsageError(
        'baseline',
        `a baseline has at most ${MOST} findings, not ${findings.length}`,
        'write several',
      )
    }
    await save(host, path, jsonText({ version: 1, findings }), { over: path })
    return baseline
  }

  /** Entries that this run says nothing of: those of other files, and of those of which only a part was looked at. */
  async #kept(results: readonly Result[], found: readonly Entry[]): Promise<readonly Entry[]> {
    const whole = new Set(results.filter((result) => result['part'] === undefined).map((result) => this.#place(result)))
    const again = new Set(found.map(({ file, fingerprint }) => `${file} ${fingerprint}`))
    const before = (await this.#entries()) ?? []
    return before.filter(({ file, fingerprint }) => !whole.has(file) && !again.has(`${file} ${fingerprint}`))
  }

  /** The entries of the file; undefined where there is none. */
  async #entries(): Promise<readonly Entry[] | undefined> {
    const bytes = await readSettings(this.#path, this.#host, LARGEST)
    if (bytes === undefined) return undefined
    const hint = 'name another file, or remove the file that is there: --write-baseline writes it anew'
    return parseAs<{ findings: readonly Entry[] }>(schema, bytes, this.#name, hint).value.findings
  }

  /** Results with new findings only, the number of known ones of each, and a line on these and on those that are gone. */
  review(results: readonly Result[]): { readonly results: readonly Result[]; readonly notes: readonly string[] } {
    let [known, gone] = [0, 0]
    const reviewed = results.map((result) => {
      const fingerprints = fingerprintsOf(result)
      const before = this.#known.get(this.#place(result)) ?? new Set()
      if (!isKnowable(result)) return result
      const isNew = (_: unknown, i: number) => !before.has(fingerprints[i]!)
      const diagnostics = result.diagnostics.filter(isNew)
      const count = fingerprints.length - diagnostics.length
      known += count
      // Of a part of a document nothing can be said about the others.
      if (result['part'] === undefined) gone += before.size - count
      return { ...result, diagnostics, fingerprints: fingerprints.filter(isNew), known: count }
    })
    const told =
      gone === 0 ? '' : `; ${counted(gone, 'known finding')} gone: --write-baseline ${word(this.#name)} takes them out`
    return {
      results: reviewed,
      notes: known + gone === 0 ? [] : [`${counted(known, 'known finding')} not shown (${this.#name})${told}`],
    }
  }

  #knownIn(file: string): Set<string> {
    const known = this.#known.get(file) ?? new Set()
    this.#known.set(file, known)
    return known
  }

  /** The same wherever somebody stands who runs this. */
  #place({ file }: Result): string {
    if (file === null || isUrl(file) || file.startsWith('<')) return file ?? ''
    return relative(dirname(this.#path), resolve(this.#host.cwd, file)).replaceAll('\\', '/')
  }
}

/** Only documents that were read have fingerprints of their findings. */
function isKnowable({ diagnostics, fingerprints }: Result): boolean {
  if (diagnostics.length === 0) return true
  return fingerprints !== undefined && !diagnostics.some(({ code }) => NEVER_KNOWN.includes(code))
}
