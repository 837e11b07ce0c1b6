// Whether a call may go on: the recorder's own files are closed, the rest is up to the definition.
import type { GuardedDecision } from '../../../bindings/runs/record/guard.ts'
import { createVerdict } from '../../../bindings/runs/verdict/create.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isText, type JsonObject, valueAt } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import type { Tools } from '../../command.ts'
import type { CallAnswer, EventOptions } from './events.ts'
import { commandsIn } from './members.ts'
import { isWithin, protectionOf } from './protection.ts'
import { filesOf, isSearch, isShell, requestsOf } from './requests.ts'
import { Unjudgeable } from './unjudgeable.ts'
import { WITHOUT_EFFECT } from './without-effect.ts'

export interface JudgeOptions {
  readonly document?: string | undefined
  /** The SHA-256 of the definition. */
  readonly pin?: string | undefined
  readonly key: readonly string[]
  readonly signer?: string | undefined
  readonly unjudged?: 'deny' | 'allow' | undefined
}

/** Judges calls by the definition, unless it is unreadable, changed or badly signed: then it permits nothing. */
export async function callJudge(options: JudgeOptions, folder: string, tools: Tools): Promise<EventOptions['judge']> {
  const { document, signer, unjudged } = options
  const decide =
    document === undefined ? undefined : await definitionOf(document, options, tools).catch((error: Error) => error)
  const [own, secret] = [
    [folder, document],
    [signer, ...options.key],
  ].map((names) => names.filter((name) => name !== undefined && !/^(?:env:|-$)/.test(name))) as [string[], string[]]
  const judge: EventOptions['judge'] = (tool, input, cwd) => {
    const files = filesOf(tool, input, cwd)
    const { reasonFor, reasonForLine } = protectionOf(cwd, own, secret)
    const lines = isShell(tool) ? commandsIn(input) : []
    const reason = [...files.map(reasonFor), ...lines.map(reasonForLine)].find((one) => one !== undefined)
    if (reason !== undefined) return denial(reason, { tool, input })
    if (decide === undefined) return undefined
    if (decide instanceof Error) return denial(`the definition permits nothing: ${decide.message}`, { tool, input })
    if (Object.hasOwn(WITHOUT_EFFECT, tool)) return undefined
    const hidden = isSearch(tool) ? files.map(({ path }) => decide.deniedWithin(path)).find(isText) : undefined
    if (hidden !== undefined)
      return denial(`the search can reach ${hidden} of denied_paths: search a narrower folder`, { tool, input })
    const answers = requestsOf(tool, input, files).map((request) => ({ request, ...decide.answer(request) }))
    if (answers.length === 0) {
      const hint = 'a hook with --unjudged allow lets such calls go on'
      return unjudged === 'allow' ? undefined : denial(`a definition cannot judge ${tool}; ${hint}`, { tool, input })
    }
    const worst =
      answers.find(({ decision }) => decision.outcome === 'deny') ??
      answers.find(({ decision }) => decision.outcome === 'escalate') ??
      answers[0]!
    const verdicts = answers.map(({ verdict, request }) => [verdict, request] as const)
    return { decision: worst.decision.outcome, reason: reasonOf(worst.decision), verdicts }
  }
  return (tool, input, cwd) => {
    try {
      return judge(tool, input, cwd)
    } catch (error) {
      if (error instanceof Unjudgeable) return denial(error.message, { tool, input })
      throw error
    }
  }
}

const reasonOf = ({ reason, decidedBy }: GuardedDecision) =>
  decidedBy === undefined ? reason : `${reason} (${decidedBy})`

function denial(reason: string, request: unknown): CallAnswer {
  const verdict = createVerdict({ decision: 'deny', reasoning: reason, confidence: 1, metadata: { engine: 'blazon' } })
  return { decision: 'deny', reason, verdicts: [[verdict, request]] }
}

async function definitionOf(name: string, { pin, key }: JudgeOptions, tools: Tools) {
  // The rules of definitions take time to load, so events without a definition go without them.
  const [{ ADL_READING }, { parseAs }, { decider }, { verifier }] = await Promise.all([
    import('../../../bindings/adl/subject.ts'),
    import('../../../bindings/frame/as.ts'),
    import('../../../bindings/runs/record/guard.ts'),
    import('../../proof.ts'),
  ])
  const { bytes, file } = await tools.reader.bytes(name)
  if (pin !== undefined && pin !== toHex(sha256(bytes)))
    throw new Error(`${file} was changed since the hook was installed`)
  const { document, diagnostics } = parseAs(ADL_READING, bytes, { file })
  if (document === undefined) throw new Error(`${file}: ${diagnostics[0]!.detail}`)
  const proof = await (await verifier(key, false, tools))(document)
  const caseInsensitive = process.platform === 'darwin'
  const { decide } = decider(document, { proof, windows: process.platform === 'win32', caseInsensitive })
  const answer = (
    request: Parameters<typeof decide>[0],
  ): { readonly decision: GuardedDecision; readonly verdict: JsonObject } => {
    const { decision, verdict } = decide(request)
    const [duty] = decision.obligations
    if (duty === undefined) return { decision, verdict }
    // A hook cannot do what the decision depends on, so a person decides.
    const reason = `${decision.reason}, but ${duty} is left to do`
    return {
      decision: { ...decision, outcome: 'escalate', reason },
      verdict: { ...verdict, decision: 'escalate', approved: false, reasoning: reason },
    }
  }
  const denied = [valueAt(document.value, '/permissions/filesystem/denied_paths')].flat().filter(isText)
  return { answer, deniedWithin: (folder: string) => denied.find((pattern) => mayMatchWithin(pattern, folder)) }
}

/** True unless no path in a folder can match a pattern. */
function mayMatchWithin(pattern: string, folder: string): boolean {
  const wildcard = pattern.search(/[*?[{]/)
  const start = wildcard === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1) || '/'
  return isWithin(start, folder) || (wildcard !== -1 && isWithin(folder, start))
}
