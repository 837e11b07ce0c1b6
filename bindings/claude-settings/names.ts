// Names of Claude Code: https://code.claude.com/docs/en/ settings-reference, hooks and tools-reference.

const words = (text: string): readonly string[] => text.split(' ')

/** Members that decide what runs or that most files have. Others of more than 140 are not reported. */
export const MEMBERS = /* @__PURE__ */ words(
  'allowManagedHooksOnly allowManagedPermissionRulesOnly apiKeyHelper cleanupPeriodDays disableAllHooks disabledMcpjsonServers enableAllProjectMcpServers enabledMcpjsonServers enabledPlugins env extraKnownMarketplaces hooks includeCoAuthoredBy model outputStyle permissions sandbox statusLine',
)

export const EVENTS = /* @__PURE__ */ words(
  'ConfigChange CwdChanged DirectoryAdded Elicitation ElicitationResult FileChanged InstructionsLoaded MessageDisplay Notification PermissionDenied PermissionRequest PostCompact PostModelSwitch PostToolBatch PostToolUse PostToolUseFailure PreCompact PreModelSwitch PreToolUse SessionEnd SessionStart Setup Stop StopFailure SubagentStart SubagentStop TaskCompleted TaskCreated TeammateIdle UserPromptExpansion UserPromptSubmit WorktreeCreate WorktreeRemove',
)

/** Events about a tool; `if` of a hook counts for these alone. */
export const TOOL_EVENTS = /* @__PURE__ */ words(
  'PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied',
)

/** Tools that run without a question in every mode. */
export const FREE_TOOLS = /* @__PURE__ */ words(
  'Agent AskUserQuestion CronList EnterPlanMode Glob Grep ListAgents ListMcpResourcesTool LSP Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoWrite ToolSearch',
)

export const TOOLS: readonly string[] = [
  ...FREE_TOOLS,
  ...words(
    'Artifact Bash BashOutput Cd CronCreate CronDelete Edit EndConversation EnterWorktree ExitPlanMode ExitWorktree KillBash KillShell LS Monitor MultiEdit NotebookEdit NotebookRead PowerShell PushNotification Read ReadMcpResourceTool RemoteTrigger ReportFindings ScheduleWakeup SendFeedback SendMessage SendUserFile ShareOnboardingGuide Skill SlashCommand SubagentHandback TodoRead WaitForMcpServers WebFetch WebSearch Workflow Write',
  ),
]

/** Path rules of these tools are never compared, each with the tool whose rule is. */
export const UNMATCHED: Readonly<Record<string, string>> = {
  Write: 'Edit',
  NotebookEdit: 'Edit',
  MultiEdit: 'Edit',
  Glob: 'Read',
  Grep: 'Read',
  LS: 'Read',
  NotebookRead: 'Read',
}
