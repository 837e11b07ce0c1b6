import type { Command } from './command.ts'
import type { Load, Table } from './run.ts'

/** The commands by task, as help shows them; those without a task come last. */
export const JOBS: Readonly<Record<string, readonly string[]>> = {
  'Write and check documents': [
    'init',
    'validate',
    'explain',
    'fmt',
    'diff',
    'canonicalize',
    'convert',
    'render',
    'lsp',
  ],
  'Sign and verify': ['keygen', 'sign', 'verify', 'bump', 'revoke'],
  'Build and run agents': ['agent'],
  'Show what an agent did': ['runs', 'aip'],
  'Decide what an agent may do': ['grants', 'permissions', 'decide', 'gate', 'approve', 'match'],
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

/** Files with several commands. */
const cards = () => import('./commands/cards.ts')
const tags = () => import('./commands/tags.ts')
const tasks = () => import('./commands/tasks.ts')
const token = () => import('./commands/token.ts')
const dns = () => import('./commands/dns.ts')
const aip = () => import('./commands/aip.ts')
const invite = () => import('./commands/invite.ts')
const directoryRules = () => import('./commands/directory/rules.ts')
const directoryBackup = () => import('./commands/directory/backup.ts')
const streams = () => import('./commands/runs/streams.ts')
const audits = () => import('./commands/runs/audit.ts')
const runs = () => import('./commands/runs/show.ts')
const runLists = () => import('./commands/runs/list.ts')
const agentBuild = () => import('./commands/agent/build.ts')
const agentPull = () => import('./commands/agent/pull.ts')

/** A command of a file with several. */
function from<Name extends string>(load: () => Promise<Readonly<Record<Name, Command>>>, name: Name): Load {
  return async () => ({ command: (await load())[name] })
}

/** Every command in the order of help: its purpose in a line, and how to load it or the commands of its group. */
export const COMMANDS: Table = {
  agent: [
    'show, lock, build, run and unpack agents of AgentLang',
    {
      build: ['make the signed container of an agent', from(agentBuild, 'build')],
      inspect: ['show what an agent may do, before it runs', () => import('./commands/agent/inspect.ts')],
      lock: ['lock the tools, models and files of an agent', from(agentBuild, 'lock')],
      pull: ['get the container of an agent from a registry', from(agentPull, 'pull')],
      run: ['run an agent on this machine', () => import('./commands/agent/run.ts')],
      unpack: ['restore the folder of an agent from its container', from(agentPull, 'unpack')],
    },
  ],
  aip: [
    'certificates of agents (AIP-1), for development',
    {
      init: ['make an authority', from(aip, 'init')],
      issue: ['issue the certificate of an agent', from(aip, 'issue')],
    },
  ],
  approve: ['add agent definitions to an inventory of approved agents', () => import('./commands/approve.ts')],
  bump: ['write the next version of an Agent Card', from(cards, 'bumpCard')],
  canonicalize: ['write the canonical form (RFC 8785) of documents', () => import('./commands/canonicalize.ts')],
  chat: ['talk to the agent of a domain', () => import('./commands/chat.ts')],
  decide: ['decide whether an agent definition permits a request, and why', () => import('./commands/decide.ts')],
  convert: ['convert between definitions, cards, metadata, A2A, MCP and OASF', () => import('./commands/convert.ts')],
  diff: ['show how the meaning of an agent definition changed', () => import('./commands/diff.ts')],
  directory: [
    'back up a directory of cards, and decide who may be in it',
    {
      approve: ['allow agents, keys and hosts in a directory', from(directoryRules, 'approve')],
      block: ['keep agents, keys and hosts out of a directory', from(directoryRules, 'block')],
      export: ['write every card of a directory, one per line', from(directoryBackup, 'exportCards')],
      import: ['send the lines of a backup to a directory', from(directoryBackup, 'importCards')],
      list: ['list the rules and the waiting cards of a directory', from(directoryRules, 'list')],
      remove: ['remove cards from a directory', from(directoryRules, 'remove')],
    },
  ],
  discover: ['find the agent of a domain, and show how far you can trust it', () => import('./commands/discover.ts')],
  dns: [
    'publish agents in the DNS',
    {
      check: ['report missing, wrong and stale records of an agent', from(dns, 'check')],
      records: ['write the DNS records that make an agent findable', from(dns, 'records')],
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
      create: ['create an invitation to an agent', from(invite, 'create')],
      redeem: ['exchange an invitation for a token', from(invite, 'redeem')],
    },
  ],
  keygen: ['generate a key pair for signing', () => import('./commands/keygen.ts')],
  lsp: ['check documents in an editor while you type (LSP)', () => import('./commands/lsp.ts')],
  match: ['show which pattern matches each subject', () => import('./commands/match.ts')],
  permissions: ['compare what definitions and settings permit', () => import('./commands/permissions.ts')],
  probe: ['check the claims of an Agent Card at its endpoints', () => import('./commands/probe.ts')],
  publish: ['publish agent definitions, cards and metadata on a server', () => import('./commands/publish.ts')],
  render: ['render a template, or a prompt of an agent definition', () => import('./commands/render.ts')],
  review: ['list what publishing agent definitions reveals', () => import('./commands/review.ts')],
  revoke: ['write the Agent Card that revokes an agent', from(cards, 'revokeCard')],
  runs: [
    'record, show, redact, seal and prove what agents did',
    {
      audit: ['compare streams with another witness of the same runs', from(audits, 'audit')],
      hook: ['record an event of Claude Code or Codex, and judge calls', () => import('./commands/runs/hook.ts')],
      list: ['list the runs of a folder', from(runLists, 'list')],
      prove: ['write the proof that a step is in a stream', from(streams, 'prove')],
      redact: ['take sensitive content out of a run record or a stream', from(streams, 'redact')],
      retain: ['remove the content of old streams', from(streams, 'retain')],
      seal: ['make a signed stream of a run record', from(streams, 'sealRecord')],
      search: ['find the steps of runs with a text', from(runLists, 'search')],
      show: ['show what a run did, step by step', from(runs, 'show')],
      stats: ['sum up steps, denials and cost by tool and day', from(runLists, 'stats')],
      tail: ['show the steps of a run while it is recorded', from(runs, 'tail')],
      tap: ['record the calls between an MCP client and its server', () => import('./commands/runs/tap.ts')],
    },
  ],
  search: ['find the best agents for a task', () => import('./commands/search.ts')],
  selftest: ['run published vectors in this runtime and print the result', () => import('./commands/selftest.ts')],
  sign: ['sign a definition, card, A2A card, metadata or invitation', () => import('./commands/sign.ts')],
  tags: [
    'list, normalize and match the skill tags of Agent Cards',
    {
      list: ['list the categories, the standard tags and their aliases', from(tags, 'list')],
      match: ['show which query matches each tag', from(tags, 'match')],
      normalize: ['normalize tags', from(tags, 'normalize')],
      suggest: ['suggest a standard tag for each tag', from(tags, 'suggest')],
    },
  ],
  tasks: [
    'send tasks to agents, and work on those an agent received',
    {
      cancel: ['cancel a task that you sent', from(tasks, 'cancel')],
      complete: ['report the result of a task', from(tasks, 'complete')],
      list: ['list the tasks that an agent received', from(tasks, 'list')],
      send: ['send a task to an agent', from(tasks, 'send')],
      status: ['show the status of a task', from(tasks, 'status')],
      take: ['take the oldest waiting task of an agent', from(tasks, 'take')],
    },
  ],
  token: [
    'create and revoke the tokens of a server',
    {
      create: ['create a token for each holder', from(token, 'create')],
      revoke: ['revoke every token of holders', from(token, 'revoke')],
    },
  ],
  validate: ['check documents', () => import('./commands/validate.ts')],
  verify: ['verify signatures and traces of discoveries, step by step', () => import('./commands/verify.ts')],
  completion: ['write a completion script for a shell', () => import('./commands/completion.ts')],
}
