// A baseline: known findings, recognized by fingerprints. Only other findings are shown.
import { dirname, relative, resolve } from 'node:path'
import schema from '../../docs/schema/baseline.schema.json' with { type: 'json' }
import { type Result, UsageError } from '../command.ts'
import { fingerprintsOf } from '../fingerprint.ts'
import type { Host } from '../host.ts'
import { isUrl } from '../inputs.ts'
import { counted, jsonText, shorten, word } from '../report/report.ts'
import { save } from '../save.ts'
import { NOT_LOOKED_AT } from './checker.ts'
import { readSettings } from './configuration.ts'
import { parseAs } from './parse-configuration.ts'

const LARGEST = 1 << 26
const MOST = schema.properties.findings.maxItems

interface Entry {
  readonly file: string
  readonly fingerprint: string
}

/** Findings that stop the checking of a document: hiding them would hide all later findings unseen. */
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
      throw new UsageError('baseline', `${baseline.#name}: the baseline does not exist`, hint)
    }
    for (const { file, fingerprint } of findings) baseline.#knownIn(file).add(fingerprint)
    return baseline
  }

  /** Writes the findings of results as known. Replaces the entries of the file for these documents. */
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
    if (findings.length > MOST)
      throw new UsageError(
        'baseline',
        `a baseline has at most ${MOST} findings, not ${findings.length}`,
        'write several baselines',
      )
    await save(host, path, jsonText({ version: 1, findings }), { over: path })
    return baseline
  }

  /** Entries that this run does not replace: those of other files, and of files that were only checked in part. */
  async #kept(results: readonly Result[], found: readonly Entry[]): Promise<readonly Entry[]> {
    const whole = new Set(results.filter((result) => result['part'] === undefined).map((result) => this.#place(result)))
    const again = new Set(found.map(({ file, fingerprint }) => `${file} ${fingerprint}`))
    const before = (await this.#entries()) ?? []
    return before.filter(({ file, fingerprint }) => !whole.has(file) && !again.has(`${file} ${fingerprint}`))
  }

  /** The entries of the file; undefined if it does not exist. */
  async #entries(): Promise<readonly Entry[] | undefined> {
    const bytes = await readSettings(this.#path, this.#host, LARGEST)
    if (bytes === undefined) return undefined
    const hint = 'name another file, or delete this one and write it again with --write-baseline'
    return parseAs<{ findings: readonly Entry[] }>(schema, bytes, this.#name, hint).value.findings
  }

  /** Hides known findings and counts them in each result; a note reports hidden and gone ones. */
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
      // A check of a part cannot tell whether the other findings are gone.
      if (result['part'] === undefined) gone += before.size - count
      return { ...result, diagnostics, fingerprints: fingerprints.filter(isNew), known: count }
    })
    const goneNote =
      gone === 0 ? '' : `; ${counted(gone, 'known finding')} gone: --write-baseline ${word(this.#name)} removes them`
    return {
      results: reviewed,
      notes: known + gone === 0 ? [] : [`${counted(known, 'known finding')} not shown (${this.#name})${goneNote}`],
    }
  }

  #knownIn(file: string): Set<string> {
    const known = this.#known.get(file) ?? new Set()
    this.#known.set(file, known)
    return known
  }

  /** The path from the folder of the baseline, so that it does not depend on the working directory. */
  #place({ file }: Result): string {
    if (file === null || isUrl(file) || file.startsWith('<')) return file ?? ''
    return relative(dirname(this.#path), resolve(this.#host.cwd, file)).replaceAll('\\', '/')
  }
}

/** Only documents that could be read have fingerprints. */
function isKnowable({ diagnostics, fingerprints }: Result): boolean {
  if (diagnostics.length === 0) return true
  return fingerprints !== undefined && !diagnostics.some(({ code }) => NEVER_KNOWN.includes(code))
}
