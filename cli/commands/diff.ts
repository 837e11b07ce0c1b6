import type { Lines } from '../../bindings/document/diagnose.ts'
import { type Difference, firstDifference } from '../../bindings/document/difference.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Document } from '../../bindings/document/parse.ts'
import { detectKind } from '../../bindings/frame/detect.ts'
import { type Change, stepFrom, type VersionCheck } from '../../bindings/policy/diff/change.ts'
import { shortPaths } from '../../bindings/policy/matrix.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { cut } from '../../bindings/text/words.ts'
import { defineCommand, EXIT, type Outcome, type Result, type Tools, UsageError } from '../command.ts'
import { mask, starredLines } from '../mask.ts'
import { isReadable, type ReadResult } from '../reader.ts'
import { codeFrame } from '../report/pretty.ts'
import { counted, word } from '../report/report.ts'
import { placesOf, type Runner, refusedSettings, runnerOf } from '../settings.ts'

const USAGE = 'as in blazon diff OLD NEW, or blazon diff --canonical A B'

export const command = defineCommand({
  options: {
    canonical: { about: 'compare canonical forms (RFC 8785)' },
    'check-version': { about: 'exit 1 if the version step is too small' },
  },
  async run(context) {
    const { options, positionals, reader } = context
    const [nameA, nameB, ...others] = positionals
    if (nameA === undefined || nameB === undefined || others.length > 0)
      throw new UsageError('wrong-arguments', `diff: expected two documents, got ${positionals.length}`, USAGE)
    const requirements = {
      anything: options.canonical,
      jsonByDefault: options.canonical,
      toml: 'codex-config',
    } as const
    const [a, b] = [await reader.tryDocument(nameA, requirements), await reader.tryDocument(nameB, requirements)]
    if (options.canonical) return compareCanonical(a, b, context)
    if ([a, b].every(({ kind }) => kind === 'run' || kind === 'stream')) return compareRuns(a, b, context)
    const runner = await runnerOf(a)
    if (runner !== undefined && runner === (await runnerOf(b))) return compareSettings(a, b, runner, context)
    const areAgents = [a, b].every(({ kind }) => kind === 'agentlang' || kind === 'container')
    return areAgents ? compareAgents(a, b, context) : compareMeaning(a, b, options['check-version'], context)
  },
})

// Each comparison loads what only it needs.

const resultOf = ({ file, document, diagnostics }: ReadResult, kind: string | null): Result => {
  return { file, kind, valid: document !== undefined, diagnostics }
}

/** Shows the first place where the canonical forms of two documents differ. */
function compareCanonical(a: ReadResult, b: ReadResult, { print }: Tools): Outcome {
  const results = [a, b].map((read) => resultOf(read, null))
  if (a.document === undefined || b.document === undefined) return { results }
  const difference = firstDifference(a.document, b.document)
  if (difference === undefined) {
    const note = `${a.file} and ${b.file} have the same canonical form`
    return { results: results.map((result) => ({ ...result, equal: true })), notes: [note] }
  }
  print(describeDifference(difference, a.document, b.document))
  const { a: inA, b: inB, ...common } = difference
  return {
    results: [
      { ...results[0]!, equal: false, difference: { ...common, source: inA } },
      { ...results[1]!, equal: false, difference: { ...common, source: inB } },
    ],
    exit: EXIT.findings,
    reason: titleOf(difference),
  }
}

function describeDifference(difference: Difference, a: Document, b: Document): string {
  const [inA, inB] = shownLines([a, b])
  return [
    visible(titleOf(difference)),
    `first different byte of the canonical forms: ${difference.canonicalOffset}`,
    ...excerpt(difference, 'a', inA),
    ...excerpt(difference, 'b', inB),
    '',
  ].join('\n')
}

/** The lines that may be shown. If one document is confidential, the other may be an older version of it. */
function shownLines(documents: readonly [a: Document, b: Document]): readonly (Lines | undefined)[] {
  const masked = documents.map((document) => mask(document.lines.bytes, document, [])?.lines)
  return masked.some((lines) => lines !== undefined) ? masked : documents.map(({ lines }) => lines)
}

const titleOf = (difference: Difference) => `${headline(difference)}: ${difference.pointer || 'the whole document'}`

function headline({ kind, only }: Difference): string {
  if (kind === 'value') return 'different value'
  if (kind === 'type') return 'different type'
  return `${kind} that only the ${only === 'a' ? 'first' : 'second'} document has`
}

function excerpt(difference: Difference, side: 'a' | 'b', lines: Lines | undefined): string[] {
  const source = difference[side]
  const lacks = difference.only !== undefined && difference.only !== side
  const title = `${formatPosition(source)}${lacks ? `, without this ${difference.kind}` : ''}`
  if (lines === undefined) return ['', visible(title), '  not shown: the other document is confidential']
  const rows = codeFrame(starredLines(lines), source, 80)
  return [
    '',
    visible(title),
    ...rows.map(({ gutter, text, role }) => `${role === 'line' ? '>' : ' '} ${gutter} | ${text}`.trimEnd()),
  ]
}

/** The most characters of a value that are shown. */
const LONGEST = 400

/** Shows the first step where two runs part. */
async function compareRuns(a: ReadResult, b: ReadResult, { print }: Tools): Promise<Outcome> {
  const results = [a, b].map((read) => resultOf(read, read.kind!))
  if (a.document === undefined || b.document === undefined) return { results }
  const { diffRuns } = await import('../../bindings/runs/verbs.ts')
  const { recordIn } = await import('./runs/streams.ts')
  const [one, other] = [a, b].map(({ file, kind, document }) => {
    const record = kind === 'stream' ? recordIn(document!.lines.bytes, file) : undefined
    return record ?? document!
  })
  const { difference } = diffRuns(one!, other!)
  if (difference === undefined) return { results, notes: ['both runs did the same'] }
  const { step, pointer } = difference
  const reason =
    step === undefined ? `the runs end differently: ${pointer}` : `the runs part at step ${step}: ${pointer}`
  print(`${visible(reason)}\n  ${shownValue(difference.a)}\n  ${shownValue(difference.b)}\n`)
  return { results: results.map((one) => ({ ...one, runDifference: difference })), exit: EXIT.findings, reason }
}

const shownValue = (value: unknown) =>
  value === undefined ? '(nothing)' : visible(withoutSecrets(cut(JSON.stringify(value), LONGEST)))

/** Shows what changed between two settings files of a runner. Exits 1 if one allows more. */
async function compareSettings(a: ReadResult, b: ReadResult, runner: Runner, { host, print }: Tools): Promise<Outcome> {
  const results = [a, b].map((read) => resultOf(read, read.kind ?? null))
  if (!isReadable(a) || !isReadable(b)) return { results }
  const refused = [await refusedSettings(a), await refusedSettings(b)]
  if (refused.some((one) => one !== undefined)) return { results: results.map((result, i) => refused[i] ?? result) }
  const places = placesOf(b.file, undefined, host)
  const shorten = shortPaths(places.root, places.home)
  const settingsChanges = (await runner.diff(a.document, b.document, places)).map((change) => {
    const source = (change.document === 'old' ? a : b).document.source(change.pointer)
    return { ...change, detail: shorten(change.detail), source }
  })
  print(
    ...settingsChanges.map(({ kind, area, detail, source }) => {
      return `${visible(formatPosition(source))}: ${kind}, ${area}: ${visible(withoutSecrets(detail))}\n`
    }),
  )
  const widened = settingsChanges.filter(({ kind }) => kind === 'widened').length
  return {
    results: [results[0]!, { ...results[1]!, settingsChanges }],
    notes: [`${counted(settingsChanges.length, 'change')}, ${widened} of them wider`],
    ...(widened > 0 && { exit: EXIT.findings }),
  }
}

/** Shows what changed between two agents. Exits 1 if one asks for more. */
async function compareAgents(a: ReadResult, b: ReadResult, { print }: Tools): Promise<Outcome> {
  const before = [a, b].map((read) => resultOf(read, read.kind ?? null))
  if (!isReadable(a) || !isReadable(b)) return { results: before }
  const { readAgent } = await import('../agentlang/agent.ts')
  const { diffAgents } = await import('../../bindings/agentlang/diff.ts')
  const { sourcePath } = await import('../../bindings/agentlang/container/archive.ts')
  const [old, now] = [await readAgent(a, []), await readAgent(b, [])]
  const results = [old, now].map(({ agent, diagnostics }, i): Result => {
    return { ...before[i]!, valid: agent !== undefined, diagnostics }
  })
  if (old.agent === undefined || now.agent === undefined) return { results }
  const encrypted = [old, now].flatMap(({ container }) => container?.encrypted ?? [])
  const agentChanges = diffAgents(old.agent, now.agent, encrypted.map(sourcePath))
  print(...agentChanges.map(({ kind, area, detail }) => `${kind}, ${area}: ${visible(detail)}\n`))
  const widened = agentChanges.filter(({ kind }) => kind === 'widened').length
  const notes = [
    ...(encrypted.length > 0 ? ['encrypted prompts were not compared'] : []),
    `${counted(agentChanges.length, 'change')}, ${widened} of them wider`,
  ]
  const compared = [results[0]!, { ...results[1]!, agentChanges }]
  return { results: compared, notes, ...(widened > 0 && { exit: EXIT.findings }) }
}

/** Shows the changes in meaning from an old agent definition to a new one. */
async function compareMeaning(
  old: ReadResult,
  now: ReadResult,
  versionMatters: boolean,
  { print }: Tools,
): Promise<Outcome> {
  const results = [old, now].map((read) => resultOf(read, read.document === undefined ? null : 'adl'))
  if (old.document === undefined || now.document === undefined) return { results }
  const { checkVersion, diff } = await import('../../bindings/adl/diff/diff.ts')
  const { validate } = await import('../../bindings/adl/verbs.ts')
  const [before, after] = [definition(old.file, old.document), definition(now.file, now.document)]
  const version = checkVersion(before, after)
  const changes = diff(before, after).changes.map((change) => ({
    ...change,
    // The same wording as in the summary of all changes.
    bump: stepFrom(version.from, change.bump),
    source: (change.document === 'old' ? before : after).source(change.pointer),
  }))
  const { valid, diagnostics } = validate(after)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const widened = changes.filter(({ kind }) => kind === 'widened').length
  print(...changes.map((change) => `${describeChange(change, formatPosition(change.source))}\n`))
  const line = changeSummary(changes, widened, version)
  const tooLittle = versionMatters && !version.enough
  return {
    results: [results[0]!, { ...results[1]!, valid, changes, versionCheck: jsonOf(version) }],
    notes: [line, ...(valid ? [] : [invalidNote(now.file, errors)])],
    ...((widened > 0 || tooLittle) && { exit: EXIT.findings, reason: line }),
  }
}

function definition(file: string, document: Document): Document {
  if (detectKind(document) === 'adl') return document
  const hint = 'blazon diff --canonical A B compares any two documents'
  throw new UsageError('wrong-kind', `${visible(file)} is not an agent definition`, hint)
}

function describeChange({ kind, bump, area, detail }: Change, position: string): string {
  return `${visible(position)}: ${kind} (${bump}), ${area}: ${visible(detail)}`
}

function changeSummary(
  changes: readonly Change[],
  widened: number,
  { from, to, needed, enough }: VersionCheck,
): string {
  if (needed === undefined) return 'no changes'
  const count = `${counted(changes.length, 'change')}, ${widened} of them wider`
  const move = `version ${from ?? '(none)'} to ${to ?? '(none)'}`
  return `${count}; ${needed} step needed, ${move}${enough ? '' : ' is too little'}`
}

/** Hosts refuse an invalid definition, however little it changed. */
const invalidNote = (file: string, errors: number): string =>
  `${file} is not valid (${counted(errors, 'error')}): blazon validate ${word(file)} shows why`

/** Replaces undefined by null, because JSON has no undefined. */
const jsonOf = ({
  from = null,
  to = null,
  moved = null,
  needed = null,
  enough,
}: { [Name in keyof VersionCheck]: VersionCheck[Name] | null }) => ({ from, to, moved, needed, enough })
