import type { Option } from '../options.ts'

/** The presets are those of bindings/agentlang/asks/hosts.json, which help must not load. */
export const HOST = {
  value: 'HOST',
  about: 'for AgentLang agents: a host file, claude-desktop, replit, desktop, mobile or browser-extension',
} as const satisfies Option
