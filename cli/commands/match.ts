import { patternToDiagnostic } from '../../bindings/core/pattern-faults.ts'
import { checkPattern, compilePatterns, type PatternKind } from '../../bindings/core/patterns.ts'
import { Lines } from '../../bindings/document/diagnose.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { KINDS } from '../../bindings/wasm/pattern.ts'
import { answer, defineCommand, EXIT, type Result, UsageError } from '../command.ts'
import type { Reader } from '../reader.ts'
import { counted } from '../report/report.ts'
import { beforeDashes } from '../run.ts'

/** A subject to match. One that is not valid UTF-8 has no `text` and matches nothing. */
interface Subject {
  readonly shown: string
  readonly text: string | undefined
}

const USAGE = "as in blazon match --kind host '*.example.com' -- api.example.com"

export const command = defineCommand({
  options: {
    kind: { needed: USAGE, value: 'KIND', choices: KINDS, about: 'the kind of the patterns' },
    'ignore-case': { about: 'ignore case (paths)' },
  },
  async run({ options, positionals, rest, reader, host, print }) {
    const { kind } = options
    const patterns = beforeDashes({ positionals, rest })
    if (patterns.length === 0) throw new UsageError('missing-argument', 'match: expected a PATTERN', USAGE)
    if (rest === undefined || rest.length === 0)
      throw new UsageError('missing-argument', 'match: expected -- and a SUBJECT after the patterns', USAGE)
    const checked = patterns.map((pattern, i) => checkOne(kind, pattern, `<pattern ${i + 1}>`, reader))
    const remarks = checked.filter(({ diagnostics }) => diagnostics.length > 0)
    if (checked.some(({ valid }) => !valid)) return { results: remarks, exit: EXIT.usage }
    const subjects: Subject[] = []
    for (const text of rest) {
      if (text === '-') for (const one of stdinSubjects((await reader.bytes('-')).bytes)) subjects.push(one)
      else subjects.push({ shown: text, text })
    }
    const compiled = compilePatterns(kind, patterns, { ignoreCase: options['ignore-case'] })
    const first = compiled.firstOf(subjects.map(({ text }) => text ?? '\ud800'))
    const matches = subjects.map(({ shown }, i) => {
      const number = first[i]!
      return { subject: shown, matched: number >= 0, pattern: number < 0 ? null : patterns[number]!, number }
    })
    const show = host.stdout.isTTY ? visible : (text: string) => text
    const unmatched = matches.filter(({ matched }) => !matched).length
    const reason = `no pattern matches ${unmatched} of ${counted(matches.length, 'subject')}`
    print(...matches.map(({ subject, pattern }) => `${show(subject)}\t${show(pattern ?? '')}\n`))
    return { results: [...remarks, ...matches.map(answer)], ...(unmatched > 0 && { exit: EXIT.findings, reason }) }
  },
})

function checkOne(kind: PatternKind, pattern: string, file: string, reader: Reader): Result {
  const diagnostics = checkPattern(kind, pattern).map((finding) => patternToDiagnostic(kind, pattern, finding, file))
  reader.sources.set(file, new Lines(new TextEncoder().encode(pattern)))
  return { file, kind: null, valid: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics }
}

/** The lines of stdin. Lines that are not UTF-8 (file names can be) are shown as well as possible and match nothing. */
function stdinSubjects(bytes: Uint8Array): Subject[] {
  const lines = new Lines(bytes)
  const subjects: Subject[] = []
  for (let number = 1; number <= lines.count; number++) {
    const { text, offset } = lines.line(number)
    if (text === '' && number === lines.count) break
    const whole = !text.includes('\ufffd') || startsWith(bytes.subarray(offset), new TextEncoder().encode(text))
    subjects.push({ shown: text, text: whole ? text : undefined })
  }
  return subjects
}

const startsWith = (bytes: Uint8Array, head: Uint8Array): boolean => head.every((byte, i) => bytes[i] === byte)
