import type { Table } from './run.ts'

/** The commands by task, as help shows them; those without a task come last. */
export const JOBS: Readonly<Record<string, readonly string[]>> = {
  'Write and check documents': ['init', 'validate', 'explain', 'fmt', 'diff', 'canonicalize', 'convert', 'render'],
  'Sign and verify': ['keygen', 'sign', 'verify', 'bump', 'revoke'],
  'Build and run agents': ['agent'],
  'Show what an agent did': ['runs', 'aip'],
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

/** What `blazon agent` passes on: `blazon agent validate` is `blazon validate`. */
export const AGENT_VERBS: readonly string[] = [
  'validate',
  'verify',
  'convert',
  'diff',
  'render',
  'explain',
  'gate',
  'grants',
  'publish',
]

/** Every command in the order of help: its purpose in a line, and how to load it or the commands of its group. */
export const COMMANDS: Table = {
  agent: [
    'show, lock, build, run and unpack agents of AgentLang',
    {
      build: ['make the signed container of an agent', () => import('./commands/agent/build.ts')],
      inspect: ['show what an agent may do, before it runs', () => import('./commands/agent/inspect.ts')],
      lock: ['lock the tools, models and files of an agent', () => import('./commands/agent/lock.ts')],
      pull: ['get the container of an agent from a registry', () => import('./commands/agent/pull.ts')],
      run: ['run an agent on this machine', () => import('./commands/agent/run.ts')],
      unpack: ['restore the folder of an agent from its container', () => import('./commands/agent/unpack.ts')],
    },
  ],
  aip: [
    'certificates of agents (AIP-1), for development',
    {
      init: ['make an authority', () => import('./commands/aip/init.ts')],
      issue: ['issue the certificate of an agent', () => import('./commands/aip/issue.ts')],
    },
  ],
  approve: ['add agent definitions to an inventory of approved agents', () => import('./commands/approve.ts')],
  bump: ['write the next version of an Agent Card', () => import('./commands/bump.ts')],
  canonicalize: ['write the canonical form (RFC 8785) of documents', () => import('./commands/canonicalize.ts')],
  chat: ['talk to the agent of a domain', () => import('./commands/chat.ts')],
  decide: ['decide whether an agent definition permits a request, and why', () => import('./commands/decide.ts')],
  convert: ['convert between definitions, cards, metadata, A2A, MCP and OASF', () => import('./commands/convert.ts')],
  diff: ['show how the meaning of an agent definition changed', () => import('./commands/diff.ts')],
  directory: [
    'back up a directory of cards, and decide who may be in it',
    {
      approve: ['allow agents, keys and hosts in a directory', () => import('./commands/directory/approve.ts')],
      block: ['keep agents, keys and hosts out of a directory', () => import('./commands/directory/block.ts')],
      export: ['write every card of a directory, one per line', () => import('./commands/directory/export.ts')],
      import: ['send the lines of a backup to a directory', () => import('./commands/directory/import.ts')],
      list: ['list the rules and the waiting cards of a directory', () => import('./commands/directory/list.ts')],
      remove: ['remove cards from a directory', () => import('./commands/directory/remove.ts')],
    },
  ],
  discover: ['find the agent of a domain, and show how far you can trust it', () => import('./commands/discover.ts')],
  dns: [
    'publish agents in the DNS',
    {
      check: ['report missing, wrong and stale records of an agent', () => import('./commands/dns/check.ts')],
      records: ['write the DNS records that make an agent findable', () => import('./commands/dns/records.ts')],
    },
  ],
  doctor: ['report what Blazon can check on this host', () => import('./commands/doctor.ts')],
  explain: ['explain a code or a rule', () => import('./commands/explain.ts')],
  fmt: ['format JSON and YAML documents', () => import('./commands/fmt.ts')],
  gate: ['decide whether agents may run on a host', () => import('./commands/gate.ts')],
  grants: ['show what agent definitions permit, as a table', () => import('./commands/grants.ts')],
  init: ['write a definition, card, metadata or catalog to start from', () => import('./commands/init.ts')],
  invite: [
    'create and redeem invitations to private agents',
    {
      create: ['create an invitation to an agent', () => import('./commands/invite/create.ts')],
      redeem: ['exchange an invitation for a token', () => import('./commands/invite/redeem.ts')],
    },
  ],
  keygen: ['generate a key pair for signing', () => import('./commands/keygen.ts')],
  match: ['show which pattern matches each subject', () => import('./commands/match.ts')],
  probe: ['check the claims of an Agent Card at its endpoints', () => import('./commands/probe.ts')],
  publish: ['publish agent definitions, cards and metadata on a server', () => import('./commands/publish.ts')],
  render: ['render a template, or a prompt of an agent definition', () => import('./commands/render.ts')],
  review: ['list what publishing agent definitions reveals', () => import('./commands/review.ts')],
  revoke: ['write the Agent Card that revokes an agent', () => import('./commands/revoke.ts')],
  runs: [
    'record, show, redact, seal and prove what agents did',
    {
      audit: ['compare streams with another witness of the same runs', () => import('./commands/runs/audit.ts')],
      hook: ['record an event of Claude Code or Codex, and judge calls', () => import('./commands/runs/hook.ts')],
      prove: ['write the proof that a step is in a stream', () => import('./commands/runs/prove.ts')],
      redact: ['take sensitive content out of a run record or a stream', () => import('./commands/runs/redact.ts')],
      retain: ['remove the content of old streams', () => import('./commands/runs/retain.ts')],
      seal: ['make a signed stream of a run record', () => import('./commands/runs/seal.ts')],
      show: ['show the steps of a run as a tree', () => import('./commands/runs/show.ts')],
      tail: ['show the steps of a run while it is recorded', () => import('./commands/runs/tail.ts')],
      tap: ['record the calls between an MCP client and its server', () => import('./commands/runs/tap.ts')],
    },
  ],
  search: ['find the best agents for a task', () => import('./commands/search.ts')],
  selftest: ['run published vectors in this runtime and print the result', () => import('./commands/selftest.ts')],
  sign: ['sign a definition, card, A2A card, metadata or invitation', () => import('./commands/sign.ts')],
  tags: [
    'list, normalize and match the skill tags of Agent Cards',
    {
      list: ['list the categories, the standard tags and their aliases', () => import('./commands/tags/list.ts')],
      match: ['show which query matches each tag', () => import('./commands/tags/match.ts')],
      normalize: ['normalize tags', () => import('./commands/tags/normalize.ts')],
      suggest: ['suggest a standard tag for each tag', () => import('./commands/tags/suggest.ts')],
    },
  ],
  tasks: [
    'send tasks to agents, and work on those an agent received',
    {
      cancel: ['cancel a task that you sent', () => import('./commands/tasks/cancel.ts')],
      complete: ['report the result of a task', () => import('./commands/tasks/complete.ts')],
      list: ['list the tasks that an agent received', () => import('./commands/tasks/list.ts')],
      send: ['send a task to an agent', () => import('./commands/tasks/send.ts')],
      status: ['show the status of a task', () => import('./commands/tasks/status.ts')],
      take: ['take the oldest waiting task of an agent', () => import('./commands/tasks/take.ts')],
    },
  ],
  token: [
    'create and revoke the tokens of a server',
    {
      create: ['create a token for each holder', () => import('./commands/token/create.ts')],
      revoke: ['revoke every token of holders', () => import('./commands/token/revoke.ts')],
    },
  ],
  validate: ['check documents', () => import('./commands/validate.ts')],
  verify: ['verify signatures and traces of discoveries, step by step', () => import('./commands/verify.ts')],
  completion: ['write a completion script for a shell', () => import('./commands/completion.ts')],
}
