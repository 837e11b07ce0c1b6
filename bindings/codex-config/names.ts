// Names of Codex: codex-rs/config/src/config_toml.rs, profile_toml.rs and mcp_types.rs of github.com/openai/codex.

const words = (text: string): readonly string[] => text.split(' ')

export const MEMBERS = /* @__PURE__ */ words(
  'agents allow_login_shell analytics approval_policy approvals_reviewer apps apps_mcp_product_sku audio auto_review background_terminal_max_timeout chatgpt_base_url check_for_update_on_startup cli_auth_credentials_store compact_prompt debug default_permissions desktop developer_instructions disable_paste_burst experimental_compact_prompt_file experimental_use_unified_exec_tool features feedback file_opener forced_chatgpt_workspace_id forced_login_method ghost_snapshot hide_agent_reasoning history hooks include_apps_instructions include_environment_context include_permissions_instructions instructions log_dir marketplaces mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store mcp_servers memories model model_auto_compact_token_limit model_auto_compact_token_limit_scope model_catalog_json model_context_window model_instructions_file model_provider model_providers model_reasoning_effort model_reasoning_summary model_supports_reasoning_summaries model_verbosity notice notify openai_base_url oss_provider otel permissions personality plan_mode_reasoning_effort plugins profile profiles project_doc_fallback_filenames project_doc_max_bytes project_root_markers projects realtime review_model sandbox_mode sandbox_workspace_write service_tier shell_environment_policy show_raw_agent_reasoning skills sqlite sqlite_home suppress_unstable_features_warning tool_output_token_limit tool_suggest tools tui web_search windows',
)

export const PROFILE_MEMBERS = /* @__PURE__ */ words(
  'analytics approval_policy approvals_reviewer chatgpt_base_url features include_apply_patch_tool include_apps_instructions include_environment_context include_permissions_instructions model model_catalog_json model_instructions_file model_provider model_reasoning_effort model_reasoning_summary model_verbosity oss_provider personality plan_mode_reasoning_effort sandbox_mode service_tier tools tools_view_image tui web_search windows zsh_path',
)

export const SERVER_MEMBERS = /* @__PURE__ */ words(
  'args bearer_token bearer_token_env_var command cwd default_tools_approval_mode disabled_tools enabled enabled_tools env env_http_headers env_vars environment_id experimental_environment http_headers name oauth oauth_resource required scopes startup_timeout_ms startup_timeout_sec supports_parallel_tool_calls tool_timeout_sec tools url',
)

/** What a server with a command may not have, and one with a url. */
export const OF_ADDRESSES = /* @__PURE__ */ words(
  'url bearer_token_env_var bearer_token http_headers env_http_headers oauth oauth_resource',
)
export const OF_COMMANDS = /* @__PURE__ */ words('args env env_vars cwd bearer_token')

/** Keys that limit Codex at the root alone. */
export const LIMITS = /* @__PURE__ */ words('approval_policy default_permissions sandbox_mode')
