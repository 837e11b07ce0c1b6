// What all agents of a run share: history, artifacts, the journal, and what the host grants.
import { type Negotiation, negotiate, wholeAsk } from '../../agentlang/asks/ask.ts'
import type { Host } from '../../agentlang/asks/host.ts'
import type { Agent } from '../../agentlang/folder.ts'
import type { CompileOptions } from '../../agentlang/prompt/prompt.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import { quoted } from '../../text/words.ts'
import { Artifacts } from './artifacts.ts'
import { type CrewMember, crewOf } from './crew.ts'
import { Journal, type JournalOptions } from './journal.ts'
import type { ModelAdapter, ModelCall, RunMessage, RunTool } from './model.ts'

export interface RunOptions extends JournalOptions, Pick<CompileOptions, 'target' | 'variables'> {
  readonly agent: Agent
  /** What this host grants. */
  readonly host: Host
  readonly model: ModelAdapter
  /** The tools of an agent, by its path. Called before each turn, so that it may change. */
  readonly tools?: (path: string) => readonly RunTool[] | Promise<readonly RunTool[]>
  /** Decides about each call by its tool, then about its command, URLs and files: returns the reason of a refusal. */
  readonly permit?: (request: PermissionRequest, agent_id: string) => Promise<string | undefined>
  /** Asks the user. Without it, nobody confirms. */
  readonly confirm?: (question: string) => Promise<boolean>
  readonly artifacts?: Artifacts
  /** Ends the run. */
  readonly signal?: AbortSignal
}

export type RunStatus = 'completed' | 'refused' | 'stopped' | 'failed' | 'cancelled' | 'timeout'

/** Ends an agent, with the status of the run if it is the root; or all agents of the run. */
export class RunStop extends Error {
  readonly status: RunStatus
  readonly endsRun: boolean

  constructor(status: RunStatus, reason: string, endsRun = false) {
    super(reason)
    this.status = status
    this.endsRun = endsRun
  }
}

export class Session {
  readonly options: RunOptions
  readonly crew: readonly CrewMember[]
  readonly journal: Journal
  readonly artifacts: Artifacts
  readonly negotiation: Negotiation
  /** Why no agent of the run may ask its model again. */
  end: RunStop | undefined
  /** What users and agents said, of all agents. */
  readonly history: RunMessage[] = []

  constructor(options: RunOptions) {
    this.options = options
    this.crew = crewOf(options.agent)
    this.journal = new Journal(options)
    this.artifacts = options.artifacts ?? new Artifacts()
    this.negotiation = negotiate(wholeAsk(this.crew), options.host)
  }

  /** The reasons for which the agent must not start. */
  get refusals(): readonly string[] {
    const { starts, denied, protocols } = this.negotiation
    if (starts) return []
    return [
      ...denied.filter(({ isRequired }) => isRequired).map(({ why }) => why),
      ...protocols.filter(({ state }) => state === 'refused').map(({ detail }) => detail),
    ]
  }

  isGranted(capability: string): boolean {
    return this.negotiation.granted.some((one) => one.capability === capability)
  }

  /** The reason why a call must not be made; asks the user where the host or the definition of the agent demands it. */
  async refusalOf(call: ModelCall, { needs = [] }: RunTool, agent_id: string): Promise<string | undefined> {
    const missing = needs.find((capability) => !this.isGranted(capability))
    if (missing !== undefined) return `the host does not grant ${quoted(missing)}`
    const mustAsk = this.negotiation.granted.some(
      ({ capability, mode, isPrompted }) =>
        needs.includes(capability) && (mode === 'user_triggered' || isPrompted === true),
    )
    const question = this.journal.withoutSecrets(`${agent_id} wants to call ${quoted(call.tool)}. Allow it?`)
    if (mustAsk && !(await this.options.confirm?.(question))) return 'the user did not allow it'
    return this.options.permit?.({ domain: 'tool', name: call.tool }, agent_id)
  }
}
