/**
 * AgentLang: agents in folders, what they ask for, their locks and containers, and functions for hosts.
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export {
  type BlobDescriptor,
  type ContainerReference,
  type ContainerStore,
  openRegistry,
  type PublishContainerOptions,
  type PublishedContainer,
  type PulledContainer,
  parseReference,
  publishContainer,
  pullContainer,
  RegistryError,
  type RegistryOptions,
} from '../host/registry/client.ts'
export type { ModelAdapter, RunTool } from '../host/run/model.ts'
export { type ChatOptions as ChatModelOptions, chatModel, lineModel, scriptModel } from '../host/run/models/models.ts'
export { type RunResult as AgentRunResult, runAction, runAgent, unboundTools } from '../host/run/run.ts'
export type { RunOptions as RunAgentOptions } from '../host/run/session.ts'
export { Artifacts as RunArtifacts } from '../host/run/session.ts'
export { type HttpToolOptions, httpTools, type McpServer, mcpTools } from '../host/run/tools.ts'
export type { KeySource } from '../keys/read.ts'
export type { McpFault, McpResult, McpTransport } from '../mcp/peer.ts'
export {
  type CallOptions as McpCallOptions,
  type McpOptions,
  type McpSession,
  openMcp,
  type ToolList as McpToolList,
} from '../mcp/peer.ts'
export { type Ask, type Negotiation, negotiate, wholeAsk } from './asks/ask.ts'
export { HOSTS as HOST_PRESETS, type Host as AgentHost, type HostResult, readHost } from './asks/host.ts'
export type { Review as PromptReview, Reviewer as PromptReviewer, ReviewRequest } from './build.ts'
export {
  type BuildOptions as BuildContainerOptions,
  type BuildResult as BuiltContainer,
  buildContainer,
  type LockAgentOptions,
  type LockAgentResult,
  lockAgent,
} from './build.ts'
export {
  type OpenedContainer,
  openContainer,
  readableFiles,
  type SealOptions as SealContainerOptions,
  sealContainer,
  unpackContainer,
  type VerifyContainerOptions,
  verifyContainer,
} from './container/seal.ts'
export { readSecret, writeSecret } from './container/secret.ts'
export { type AgentChange, diffAgents } from './diff.ts'
export { RUNTIMES, type Runtime, runtimeEvents } from './events/runtimes.ts'
export type { Agent as AgentInFolder, AgentFolder } from './folder.ts'
export {
  Budget,
  type BudgetState,
  type ExecutionLimits,
  limitsOf,
  openBudget,
  type TokenCount,
} from './functions/budget/budget.ts'
export { type ContextMessage, type ContextPlan, planContext } from './functions/context/plan.ts'
export {
  delegateTool,
  type Orchestration,
  planOrchestration,
  rankSpecialists,
  type Specialist,
} from './functions/crew/plan.ts'
export type { FunctionFault } from './functions/fault.ts'
export type { TemplateFault, TemplateNode } from './functions/template/template.ts'
export {
  compileTemplate as compileToolTemplate,
  type Rendering,
  type Template as ToolTemplate,
  type TemplateMode,
} from './functions/template/template.ts'
export { type Chaining, canChain } from './functions/tools/chain.ts'
export {
  buildRequest,
  type CallFault,
  COMMAND_PARAMETERS,
  commandLine,
  type HttpRequest,
  type HttpResponse,
  parametersOf,
  parseResponse,
  type RequestOptions,
  type ToolOutcome,
  toolContract,
} from './functions/tools/contract.ts'
export { ddl } from './functions/tools/ddl.ts'
export {
  type ActionRoute,
  hintsOf,
  type LabelSources,
  labelsOf,
  renderTools,
  renderToolUI,
  routeAction,
  routeResult,
  type ToolStatus,
  type ToolUI,
  type UserAction,
} from './functions/ui/components.ts'
export {
  type AgentCost,
  type AgentInspection,
  type AgentOutline,
  type AgentPart,
  askRows,
  costText,
  type HostVerdict,
  hostVerdict,
  type InspectOptions as InspectAgentOptions,
  inspectAgent,
  type RiskyCapability,
  type SignerSummary,
} from './inspect.ts'
export { compareLocks, type LockChange, type LockParts, type LockResult, makeLock, writeLock } from './lock/lock.ts'
export { type LockFault, type Resolution, resolveTools } from './lock/resolve.ts'
export {
  type CompiledPrompt,
  type CompiledSection,
  type PlainSection,
  type PromptTarget,
  sectionsIn,
} from './prompt/specification.ts'
export {
  type CompilePromptOptions,
  type CompileResult,
  compilePrompt,
  type LoadResult as LoadAgentResult,
  load,
  validate,
} from './verbs.ts'
