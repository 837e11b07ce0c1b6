/**
 * AgentLang: agents in folders, what they ask for, their locks and containers, and functions for hosts.
 * @module
 */

export type { ValidateOptions } from '../frame/verbs.ts'
export type { KeySource } from '../keys/read.ts'
export type { McpFault, McpResult, McpTransport } from '../mcp/peer.ts'
export {
  type CallOptions as McpCallOptions,
  type McpOptions,
  type McpSession,
  openMcp,
  type ToolList as McpToolList,
} from '../mcp/peer.ts'
export { type Ask, type Negotiation, negotiate, wholeAsk } from './ask/ask.ts'
export { HOSTS as HOST_PRESETS, type Host as AgentHost, type HostResult, readHost } from './ask/host.ts'
export type { Review as PromptReview, Reviewer as PromptReviewer, ReviewRequest } from './container/build.ts'
export {
  type BuildOptions as BuildContainerOptions,
  type BuildResult as BuiltContainer,
  buildContainer,
  type LockAgentOptions,
  type LockAgentResult,
  lockAgent,
} from './container/build.ts'
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
export type { Fault as LockFault, FunctionFault } from './files.ts'
export type { Agent as AgentInFolder, AgentFolder } from './folder.ts'
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
export {
  compareLocks,
  type LockChange,
  type LockParts,
  type LockResult,
  makeLock,
  type Resolution,
  resolveTools,
  writeLock,
} from './lock/lock.ts'
export {
  type CompiledPrompt,
  type CompiledSection,
  type PlainSection,
  type PromptTarget,
  sectionsIn,
} from './prompt/specification.ts'
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
} from './registry/client.ts'
export {
  Budget,
  type BudgetState,
  type ExecutionLimits,
  limitsOf,
  openBudget,
  type TokenCount,
} from './run/budget.ts'
export { type Chaining, canChain } from './run/chain.ts'
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
} from './run/components.ts'
export { type ContextMessage, type ContextPlan, planContext } from './run/context.ts'
export {
  buildRequest,
  type CallFault,
  COMMAND_PARAMETERS,
  commandLine,
  ddl,
  type HttpRequest,
  type HttpResponse,
  parametersOf,
  parseResponse,
  type RequestOptions,
  type ToolOutcome,
  toolContract,
} from './run/contract.ts'
export {
  delegateTool,
  type Orchestration,
  planOrchestration,
  rankSpecialists,
  type Specialist,
} from './run/crew.ts'
export type { ModelAdapter, RunTool } from './run/models.ts'
export { type ChatOptions as ChatModelOptions, chatModel, lineModel, scriptModel } from './run/models.ts'
export { type RunResult as AgentRunResult, runAction, runAgent, unboundTools } from './run/run.ts'
export type { RunOptions as RunAgentOptions } from './run/session.ts'
export { Artifacts as RunArtifacts } from './run/session.ts'
export type { TemplateFault, TemplateNode } from './run/template.ts'
export {
  compileTemplate as compileToolTemplate,
  type Rendering,
  type Template as ToolTemplate,
  type TemplateMode,
} from './run/template.ts'
export { type HttpToolOptions, httpTools, type McpServer, mcpTools } from './run/tools.ts'
export {
  type CompilePromptOptions,
  type CompileResult,
  compilePrompt,
  type LoadResult as LoadAgentResult,
  load,
  validate,
} from './verbs.ts'
