// Names of Codex: codex-rs/config/src/config_toml.rs, profile_toml.rs and mcp_types.rs of github.com/openai/codex.

const words = (text: string): readonly string[] => text.split(' ')

/** Keys of the root, some of them also of a profile: they decide what runs, most files have them, or they resemble these. */
export const MEMBERS = /* @__PURE__ */ words(
  'agents analytics approval_policy approvals_reviewer apps chatgpt_base_url default_permissions features feedback history hooks instructions mcp_servers memories model model_instructions_file model_provider model_providers model_reasoning_effort model_reasoning_summary model_verbosity notice notify openai_base_url oss_provider otel permissions plugins profile profiles project_doc_fallback_filenames project_doc_max_bytes projects review_model sandbox_mode sandbox_workspace_write shell_environment_policy skills sqlite tool_output_token_limit tools tui web_search windows',
)

export const SERVER_MEMBERS = /* @__PURE__ */ words(
  'args bearer_token bearer_token_env_var command cwd default_tools_approval_mode disabled_tools enabled enabled_tools env env_http_headers env_vars http_headers name oauth oauth_resource required scopes startup_timeout_ms startup_timeout_sec tool_timeout_sec tools url',
)

/** What a server with a command may not have, and one with a url. */
export const OF_ADDRESSES = /* @__PURE__ */ words(
  'url bearer_token_env_var bearer_token http_headers env_http_headers oauth oauth_resource',
)
export const OF_COMMANDS = /* @__PURE__ */ words('args env env_vars cwd bearer_token')

/** Keys that limit Codex at the root alone. */
export const LIMITS = /* @__PURE__ */ words('approval_policy default_permissions sandbox_mode')
