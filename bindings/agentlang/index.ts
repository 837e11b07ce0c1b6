/**
 * AgentLang: agents in folders, what they ask for, their locks and containers, and functions for hosts.
 * @module
 */

export { type McpResult, type McpSession, type McpTransport, openMcp } from '../mcp/peer.ts'
export { type Ask, negotiate, wholeAsk } from './ask/ask.ts'
export { HOSTS as HOST_PRESETS, type Host as AgentHost, readHost } from './ask/host.ts'
export { buildContainer, lockAgent } from './container/build.ts'
export {
  type OpenedContainer,
  openContainer,
  readableFiles,
  sealContainer,
  unpackContainer,
  type VerifyContainerOptions,
  verifyContainer,
} from './container/seal.ts'
export { readSecret, writeSecret } from './container/secret.ts'
export { diffAgents } from './diff.ts'
export { RUNTIMES, runtimeEvents } from './events/runtimes.ts'
export type { FunctionFault } from './files.ts'
export type { Agent as AgentInFolder, LoadResult as LoadAgentResult } from './folder.ts'
export { type AgentInspection, askRows, costText, hostVerdict, inspectAgent } from './inspect.ts'
export { compareLocks, makeLock, resolveTools } from './lock/lock.ts'
export { writeLock } from './lock/write.ts'
export { sectionsIn } from './prompt/specification.ts'
export {
  type ContainerReference,
  type ContainerStore,
  openRegistry,
  parseReference,
  publishContainer,
  pullContainer,
  RegistryError,
} from './registry/client.ts'
export { Budget, limitsOf, openBudget } from './run/budget.ts'
export { canChain } from './run/chain.ts'
export {
  hintsOf,
  labelsOf,
  renderTools,
  renderToolUI,
  routeAction,
  routeResult,
  type UserAction,
} from './run/components.ts'
export { planContext } from './run/context.ts'
export {
  buildRequest,
  type CallFault,
  COMMAND_PARAMETERS,
  commandLine,
  ddl,
  parametersOf,
  parseResponse,
  type ToolOutcome,
  toolContract,
} from './run/contract.ts'
export { delegateTool, planOrchestration, rankSpecialists, type Specialist } from './run/crew.ts'
export { chatModel, lineModel, type ModelAdapter, type RunTool, scriptModel } from './run/models.ts'
export { type RunResult as AgentRunResult, runAction, runAgent, unboundTools } from './run/run.ts'
export { Artifacts as RunArtifacts, type RunOptions as RunAgentOptions } from './run/session.ts'
export {
  compileTemplate as compileToolTemplate,
  type Template as ToolTemplate,
  type TemplateFault,
} from './run/template.ts'
export { httpTools, mcpTools } from './run/tools.ts'
export { compilePrompt, load, validate } from './verbs.ts'
