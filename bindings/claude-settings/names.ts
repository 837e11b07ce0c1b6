// Names of Claude Code: https://code.claude.com/docs/en/ settings-reference, hooks and tools-reference.

const words = (text: string): readonly string[] => text.split(' ')

/** The members of a settings file. */
export const MEMBERS = /* @__PURE__ */ words(
  '$schema advisorModel agent agentPushNotifEnabled allowAllClaudeAiMcps allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly allowedChannelPlugins allowedHttpHookUrls allowedMcpServers alwaysThinkingEnabled apiKeyHelper askUserQuestionTimeout attribution autoCompactEnabled autoCompactWindow autoConnectIde autoContinueAtUsageLimit autoInstallIdeExtension autoMemoryDirectory autoMemoryEnabled autoMode autoScrollEnabled autoUpdates autoUpdatesChannel availableModels awaySummaryEnabled awsAuthRefresh awsCredentialExport axScreenReader bashOutputMaxChars blockedMarketplaces channelsEnabled claudeMd claudeMdExcludes cleanupPeriodDays companyAnnouncements crossSessionInbound defaultShell deniedMcpServers diffTool disableAgentView disableAllHooks disableArtifact disableAutoMode disableBundledSkills disableClaudeAiConnectors disableDeepLinkRegistration disableRemoteControl disableSideloadFlags disableSkillShellExecution disableWorkflows disabledMcpjsonServers editorMode effortLevel enableAllProjectMcpServers enableArtifact enableWorkflows enabledMcpjsonServers enabledPlugins enforceAvailableModels env extraKnownMarketplaces fallbackModel fastMode fastModePerSessionOptIn feedbackSurveyRate fileCheckpointingEnabled fileSuggestion footerLinksRegexes forceLoginMethod forceLoginOrgUUID forceRemoteSettingsRefresh gcpAuthRefresh hooks httpHookAllowedEnvVars includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled keybindingFlavor language leftArrowOpensAgents managedMcpServers minimumVersion model modelOverrides modelSettings otelHeadersHelper outputStyle parentSettingsBehavior permissions plansDirectory pluginConfigs pluginTrustMessage policyHelper prUrlTemplate preferredNotifChannel prefersReducedMotion processWrapper promptCacheTtl promptSuggestionEnabled remoteControlAtStartup requiredMaximumVersion requiredMinimumVersion respectGitignore respondToBashCommands sandbox showClearContextOnPlanAccept showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars skillOverrides skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight spellcheck spinnerTipsEnabled spinnerTipsOverride spinnerVerbs sshConfigs sshHostAllowlist statusLine strictKnownMarketplaces strictPluginOnlyCustomization subagentStatusLine syntaxHighlightingDisabled teammateMode terminalProgressBarEnabled theme tui verbose viewMode voice voiceEnabled wheelScrollAccelerationEnabled worktree',
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
