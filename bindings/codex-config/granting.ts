// What Codex does without a question, by one configuration. Rules of other files, and hooks, count as well.
// codex-rs/core/src/exec_policy.rs of github.com/openai/codex
import type { Document } from '../document/parse.ts'
import type { Answer } from '../policy/matrix.ts'
import type { Places } from '../policy/path.ts'
import {
  anyHost,
  deniedGlobs,
  hostRule,
  inFolder,
  type Sandbox,
  type SandboxGranting,
  sandboxGranting,
} from '../policy/sandbox.ts'
import { isObject, objectMember, objectOf, textIn, valueIn, without } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { type CodexSandbox, readCodexSandbox } from './sandbox.ts'
import { CodexSubject } from './subject.ts'

const READ = ['approval_policy', 'sandbox_mode', 'default_permissions'] as const
const READ_SETTINGS = ['writable_roots', 'network_access', 'exclude_slash_tmp', 'exclude_tmpdir_env_var'] as const

const ACCESS = { read: 'may only be read', write: 'may be read and written', deny: 'is denied' }

/** @throws {TypeError} for a document that is not an object. */
export function codexGranting(document: Document, places: Places): SandboxGranting {
  const { root } = new CodexSubject(document)
  const read = readCodexSandbox(root, places)
  const { chosen, fault, doubt, isLimited, entries, globs, unknown } = read
  const policy = textIn(root, 'approval_policy')
  const decidedBy = policy === undefined ? undefined : '/approval_policy'
  const why =
    fault ?? (chosen === undefined ? 'the file sets no sandbox_mode' : `approval_policy is ${policy ?? 'not set'}`)
  const outcome = fault !== undefined || policy === 'never' ? 'deny' : 'ask'
  const otherwise: Answer = {
    outcome,
    reason: `, and ${why}`,
    decidedBy: fault === undefined ? decidedBy : chosen!.pointer,
  }
  const uncertain = (reason: string, pointer: string | undefined): Answer => ({
    outcome: 'ask',
    reason,
    decidedBy: pointer,
  })
  const denied = deniedGlobs(globs, 'a denied pattern may match')
  const rules = (of: 'read' | 'write') => [
    ...denied,
    ...entries.map(({ folder, access, pointer, isImplied }) => {
      const reason = isLimited
        ? `${quoted(folder || '/')} ${ACCESS[access]}${isImplied ? ': Codex protects it' : ''}`
        : 'there is no sandbox'
      const isLess = of === 'write' && access === 'read'
      const granted = access === 'deny' ? 'deny' : isLess ? otherwise.outcome : 'allow'
      return inFolder(folder, { outcome: granted, reason, decidedBy: pointer }, isImplied)
    }),
  ]
  const all = ['read', 'write', 'host', 'line'] as const
  return sandboxGranting(
    {
      name: 'Codex',
      read: rules('read'),
      write: rules('write'),
      hosts: hostRules(read),
      line: (text) => {
        const without = valueIn(objectMember(root, 'features'), 'shell_tool') === false
        if (without || text.trim() === '')
          return {
            outcome: 'deny',
            reason: 'there is no shell, or no command',
            decidedBy: without ? '/features/shell_tool' : undefined,
          }
        if (chosen === undefined || fault !== undefined || isForced(text))
          return { ...otherwise, reason: `Codex does not run it without a question${otherwise.reason}` }
        const reason = `commands run without a question, ${isLimited ? 'in' : 'and without'} the sandbox`
        return { outcome: 'allow', reason, decidedBy: chosen.pointer }
      },
      otherwise,
      doubts: [
        ...(doubt === undefined ? [] : all.map((of) => [of, uncertain(`Codex may ask: ${doubt}`, decidedBy)] as const)),
        ...unknown.map(
          ([of, pointer]) => [of, uncertain('an entry at an unknown place may limit it', pointer)] as const,
        ),
        ...(read.network?.doubt === undefined
          ? []
          : [['host', uncertain(read.network.doubt, read.network.pointer)] as const]),
      ],
      globs,
      rest: restOf(root.value, read),
      harmless:
        /^(?:model(?!_provider)\w*|review_model|tui|history|notice|personality|file_opener|analytics|feedback|project_doc_\w+|tool_output_token_limit)$/,
    },
    places,
    document,
  )
}

function hostRules({ network }: CodexSandbox): Sandbox['hosts'] {
  if (network === undefined) return []
  const { domains, pointer } = network
  if (domains === undefined)
    return [anyHost({ outcome: 'allow', reason: 'no proxy limits the hosts', decidedBy: pointer })]
  const rules = (wanted: 'allow' | 'deny') =>
    Array.from(domains).flatMap(([host, { value, pointer: decidedBy }]) => {
      const outcome = value === 'allow' ? 'allow' : 'deny'
      if (outcome !== wanted) return []
      // Codex drops the port of a domain.
      const text = outcome === 'deny' ? host.replace(/:\d+$/, '') : host
      return hostRule(text, { outcome, reason: `${quoted(host)} has "${outcome}"`, decidedBy })
    })
  return [...rules('deny'), ...rules('allow')]
}

/** True for a line with `rm -f`, which Codex always asks for; also for some others. */
function isForced(line: string): boolean {
  const words = [line, line.replaceAll(/['"\\]/g, '')].flatMap((text) => text.split(/[\s;|&()<>`$"'{}]+/))
  return words.some((word) => /(?:^|\/)rm$/.test(word)) && words.some((word) => /^-(?:[a-z]*f|-force$)/i.test(word))
}

/** What no answer depends on. Profiles that do not count stay whole. */
function restOf(value: CodexSandbox['profiles'][number]['value'], { profiles }: CodexSandbox) {
  const permissions = Object.entries(objectOf(value['permissions'])).flatMap(([name, profile]) => {
    if (!profiles.some((one) => one.value === profile)) return [[name, profile]]
    const network = without(objectOf(objectOf(profile)['network']), ['enabled', 'domains'])
    const others = without(objectOf(profile), ['description', 'extends', 'filesystem', 'network', 'workspace_roots'])
    return Object.keys({ ...network, ...others }).length === 0 ? [] : [[name, { ...others, network }]]
  })
  const features = objectOf(value['features'])
  return {
    ...without(value, READ),
    features: without(features, ['shell_tool', ...(isObject(features['network_proxy']) ? [] : ['network_proxy'])]),
    sandbox_workspace_write: without(objectOf(value['sandbox_workspace_write']), READ_SETTINGS),
    permissions: Object.fromEntries(permissions),
  }
}
