import type { Table } from './find.ts'

/** The commands by task, as help shows them; those without a task come last. */
export const JOBS: Readonly<Record<string, readonly string[]>> = {
  'Write and check documents': ['init', 'validate', 'explain', 'fmt', 'diff', 'canonicalize', 'convert', 'render'],
  'Sign and verify': ['keygen', 'sign', 'verify', 'bump', 'revoke'],
  'Decide what an agent may do': ['grants', 'decide', 'gate', 'approve', 'match'],
  'Publish and find agents': [
    'review',
    'publish',
    'dns',
    'discover',
    'search',
    'probe',
    'directory',
    'invite',
    'chat',
    'tasks',
    'token',
    'tags',
  ],
}

/**
 * Every command in the order of help: its purpose in a line and how to load it, or the commands that begin with its
 * name.
 */
export const COMMANDS: Table = {
  approve: ['take agent definitions into an inventory of what may run', () => import('./commands/approve.ts')],
  bump: ['make the next version of an Agent Card', () => import('./commands/bump.ts')],
  canonicalize: ['write the canonical form (RFC 8785) of documents', () => import('./commands/canonicalize.ts')],
  chat: ['talk to the agent of a domain', () => import('./commands/chat.ts')],
  decide: ['say whether an agent definition permits something, and why', () => import('./commands/decide.ts')],
  convert: ['convert between definitions, cards, metadata, A2A, MCP and OASF', () => import('./commands/convert.ts')],
  diff: ['show what a new agent definition means that the old one did not', () => import('./commands/diff.ts')],
  directory: [
    'back up a directory of cards, and decide who is in it',
    {
      approve: ['let agents, keys and hosts into a directory', () => import('./commands/directory/approve.ts')],
      block: ['keep agents, keys and hosts out of a directory', () => import('./commands/directory/block.ts')],
      export: ['write every card of a directory, one a line', () => import('./commands/directory/export.ts')],
      import: ['send the lines of a backup to a directory', () => import('./commands/directory/import.ts')],
      list: ['list whom a directory blocks and lets in, and who waits', () => import('./commands/directory/list.ts')],
      remove: ['take cards of a directory down', () => import('./commands/directory/remove.ts')],
    },
  ],
  discover: ['find the agent of a domain, and how far it can be trusted', () => import('./commands/discover.ts')],
  dns: [
    'publish agents in the DNS',
    {
      check: ['say what of a domain’s agent is missing, wrong or stale', () => import('./commands/dns/check.ts')],
      records: ['write the DNS records by which an agent is found', () => import('./commands/dns/records.ts')],
    },
  ],
  doctor: ['say what can be checked on this host, and with what', () => import('./commands/doctor.ts')],
  explain: ['say what a code means', () => import('./commands/explain.ts')],
  fmt: ['put JSON and YAML documents into one style', () => import('./commands/fmt.ts')],
  gate: ['say whether agents may run on a host, and what the host has to do', () => import('./commands/gate.ts')],
  grants: ['show what agent definitions permit, as a table', () => import('./commands/grants.ts')],
  init: ['write a definition, card, metadata or catalog to begin with', () => import('./commands/init.ts')],
  invite: [
    'make invitations to private agents, and redeem them',
    {
      create: ['have a server make an invitation to an agent', () => import('./commands/invite/create.ts')],
      redeem: ['get the token that an invitation gives', () => import('./commands/invite/redeem.ts')],
    },
  ],
  keygen: ['make a key to sign with', () => import('./commands/keygen.ts')],
  match: ['say which pattern matches each subject', () => import('./commands/match.ts')],
  probe: ['ask the endpoints of an Agent Card whether what it claims is there', () => import('./commands/probe.ts')],
  publish: ['publish agent definitions, cards and metadata on a server', () => import('./commands/publish.ts')],
  render: ['fill in a template, or a prompt of an agent definition', () => import('./commands/render.ts')],
  review: ['list what publishing agent definitions reveals', () => import('./commands/review.ts')],
  revoke: ['make the Agent Card by which an agent says that it is gone', () => import('./commands/revoke.ts')],
  search: ['find the agents that are best for a task', () => import('./commands/search.ts')],
  selftest: ['run published vectors in this runtime and print the result', () => import('./commands/selftest.ts')],
  sign: ['sign a definition, card, A2A card, metadata document or invitation', () => import('./commands/sign.ts')],
  tags: [
    'list, spell and match the skill tags of Agent Cards',
    {
      list: ['list the categories, the standard tags and their aliases', () => import('./commands/tags/list.ts')],
      match: ['say which query asks for each tag', () => import('./commands/tags/match.ts')],
      normalize: ['spell tags in the one way', () => import('./commands/tags/normalize.ts')],
      suggest: ['name the standard tag that was meant', () => import('./commands/tags/suggest.ts')],
    },
  ],
  tasks: [
    'give tasks to agents, and do those that an agent was given',
    {
      cancel: ['call a task off that was given to an agent', () => import('./commands/tasks/cancel.ts')],
      complete: ['say what became of a task of an agent', () => import('./commands/tasks/complete.ts')],
      list: ['list the tasks that an agent was given', () => import('./commands/tasks/list.ts')],
      send: ['give a task to an agent', () => import('./commands/tasks/send.ts')],
      status: ['ask what became of a task', () => import('./commands/tasks/status.ts')],
      take: ['take the task of an agent that waits the longest', () => import('./commands/tasks/take.ts')],
    },
  ],
  token: [
    'make the tokens of a server, and withdraw them',
    {
      create: ['make a token for each holder', () => import('./commands/token/create.ts')],
      revoke: ['withdraw every token of holders', () => import('./commands/token/revoke.ts')],
    },
  ],
  validate: ['check documents', () => import('./commands/validate.ts')],
  verify: ['verify signatures and traces of discoveries, step by step', () => import('./commands/verify.ts')],
  completion: ['write a completion script for a shell', () => import('./commands/completion.ts')],
}
