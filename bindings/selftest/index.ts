/**
 * Runs published test vectors in the current runtime. Every runtime gives the same answers and the same digest of them.
 * @module
 */
import { canonicalize } from '../core/json.ts'
import { compilePatterns } from '../core/patterns.ts'
import { compileTemplate } from '../core/template.ts'
import { DocumentError } from '../document/finding.ts'
import { fromHex, toHex } from '../text/bytes.ts'
import { abiVersion, formatNumber, readNumber } from '../wasm/number.ts'
import {
  type Answer,
  CANONICAL,
  messages,
  NUMBERS,
  numberBits,
  PATTERNS,
  PUBLISHED,
  REFUSED,
  records,
  runs,
  signatures,
  TEMPLATES,
} from './vectors.ts'

export interface SelftestOptions {
  /**
   * The length of the published number sequence: 1,000, 10,000 (default), 100,000 or 1,000,000 (takes a few seconds).
   */
  readonly numbers?: number
}

/** The result for vectors of one kind. */
export interface SelftestGroup {
  readonly title: string
  /** The source of the expected answers. */
  readonly source: string
  readonly ran: number
  readonly failed: number
}

export interface Mismatch {
  readonly id: string
  readonly expected: string
  readonly got: string
}

export interface SelftestResult {
  readonly passed: boolean
  readonly ran: number
  readonly groups: readonly SelftestGroup[]
  readonly mismatches: readonly Mismatch[]
  /** The SHA-256 of all answers: two runtimes with the same digest gave the same answers. */
  readonly digest: string
  readonly abiVersion: number
}

/**
 * Runs the vectors that ship with Blazon.
 *
 * @example
 * (await runSelftest()).passed // true
 *
 * @throws {RangeError} when no hash is published for the count `numbers`.
 * @throws {Error} where the runtime has no `crypto.subtle`, such as a page from an insecure origin.
 */
export async function runSelftest(options: SelftestOptions = {}): Promise<SelftestResult> {
  const { numbers = 10_000 } = options
  const published = PUBLISHED.find(([lines]) => lines === numbers)
  if (published === undefined) {
    const counts = PUBLISHED.map(([lines]) => lines).join(', ')
    throw new RangeError(`numbers: expected one of ${counts}, got ${numbers}`)
  }
  if (globalThis.crypto?.subtle === undefined) throw new Error('this runtime has no crypto.subtle to hash with')

  const groups: SelftestGroup[] = []
  const mismatches: Mismatch[] = []
  const lines: string[] = []
  const run = (title: string, source: string, answers: readonly Answer[]) => {
    const wrong = answers.filter(([, expected, got]) => expected !== got)
    groups.push({ title, source, ran: answers.length, failed: wrong.length })
    for (const one of wrong.map(([id, expected, got]) => ({ id, expected, got }))) mismatches.push(one)
    for (const [id, , got] of answers) lines.push(`${id}\t${got}\n`)
  }
  run('canonical forms', 'RFC 8785 sections 3.2.2 to 3.2.4, and by hand', canonicalForms())
  run('refusals', 'RFC 8259, RFC 8785 section 3.1', refusals())
  run('numbers', 'RFC 8785 appendix B', appendixB())
  run(`${numbers} numbers by hash`, 'published with RFC 8785', await numberSequence(published))
  run('patterns', 'ADL section 4.4, Agent Card section 3.6.1', patterns())
  run('templates', 'ADL section 7.2', templates())
  run('signatures', 'RFC 8032, RFC 8037', await signatures())
  run('HTTP messages', 'RFC 9421 appendix B.2.6', await messages())
  run('DNS records', 'RFC 9460 appendix D', records())
  run('runs', 'C2SP signed-note and tlog-proof, RFC 6962, RFC 5280', await runs())

  return {
    passed: mismatches.length === 0,
    ran: groups.reduce((sum, { ran }) => sum + ran, 0),
    groups,
    mismatches,
    digest: await sha256(lines.join('')),
    abiVersion: abiVersion(),
  }
}

/**
 * Formats a result in a few lines for people.
 *
 * @example
 * formatSelftest(await runSelftest()).split('\n').at(-1) // 'digest 3f0c...'
 */
export function formatSelftest(result: SelftestResult): string {
  const width = Math.max(...result.groups.map(({ title }) => title.length))
  const rows = result.groups.map(({ title, source, ran, failed }) => {
    const verdict = failed === 0 ? 'ok' : `${failed} of ${ran} WRONG`
    return `${title.padEnd(width)}  ${String(ran).padStart(4)}  ${verdict}  (${source})`
  })
  const wrong = result.mismatches.map(({ id, expected, got }) => `${id}: expected ${expected}, got ${got}`)
  const verdict = result.passed ? 'passed' : 'FAILED'
  return [...rows, ...wrong, `${verdict}: ${result.ran} vectors`, `digest ${result.digest}`].join('\n')
}

function canonicalForms(): Answer[] {
  return CANONICAL.map(([document, canonical], i) => [`canonical/${i}`, canonical, attempt(document)])
}

function refusals(): Answer[] {
  return REFUSED.map(([hex, rule, offset], i) => {
    return [`refused/${i}`, `${rule} at ${offset}`, attempt(fromHex(hex)!)]
  })
}

/** The canonical text, or the rule and the place of the refusal. */
function attempt(document: Uint8Array | string): string {
  try {
    return new TextDecoder().decode(canonicalize(document))
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { rule, source } = error.diagnostics[0]!
    return `${rule} at ${source.offset}`
  }
}

function appendixB(): Answer[] {
  const cell = new DataView(new ArrayBuffer(8))
  return NUMBERS.flatMap(([bits, text]): Answer[] => {
    cell.setBigUint64(0, BigInt(`0x${bits}`))
    const value = cell.getFloat64(0)
    return [
      [`number/${bits}`, text, formatNumber(value)],
      [`number/${text}`, `${value === 0 ? 0 : value}`, `${readNumber(text)}`],
    ]
  })
}

/** Checks the published hash of the texts, and that each text reads back to its double. */
async function numberSequence([count, expected]: readonly [number, string]): Promise<Answer[]> {
  const bits = await numberBits(count)
  const doubles = new Float64Array(bits.buffer)
  const parts: string[] = []
  let lost = 0
  for (let i = 0; i < count; i++) {
    const text = formatNumber(doubles[i]!)
    parts.push(`${bits[i]!.toString(16)},${text}\n`)
    if (readNumber(text) !== doubles[i]) lost++
  }
  return [
    [`sequence/${count}`, expected, await sha256(parts.join(''))],
    [`sequence/${count}-read-back`, '0 differ', `${lost} differ`],
  ]
}

function patterns(): Answer[] {
  return PATTERNS.flatMap(([kind, pattern, yes, no]) => {
    const set = compilePatterns(kind, [pattern])
    const subjects = [...yes, ...no]
    const many = set.firstOf(subjects)
    return subjects.map((subject, i): Answer => {
      // Matching one subject and matching many use different code.
      const got = [set.test(subject), many[i] === 0].join(' and ')
      return [`pattern/${pattern}/${subject}`, i < yes.length ? 'true and true' : 'false and false', got]
    })
  })
}

function templates(): Answer[] {
  return TEMPLATES.flatMap(([template, variables, output], i): Answer[] => {
    const compiled = compileTemplate(template)
    const bytes = new TextDecoder().decode(compiled.renderBytes(variables))
    return [
      [`template/${i}`, output, compiled.render(variables)],
      [`template/${i}-bytes`, output, bytes],
    ]
  })
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toHex(new Uint8Array(digest))
}
