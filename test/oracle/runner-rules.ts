// A second, naive reading of the rules of Claude Code and sandbox-runtime, with regular expressions, for short and plain
// requests: no quotes, no substitutions, one settings file.
import type { PermissionRequest } from '../../bindings/policy/request.ts'

interface Settings {
  readonly permissions: {
    readonly allow?: readonly string[]
    readonly ask?: readonly string[]
    readonly deny?: readonly string[]
    readonly defaultMode?: string
  }
}
type Outcome = 'allow' | 'ask' | 'deny'

const ROOT = '/project'
const HOME = '/home/user'

const escaped = (text: string) => text.replaceAll(/[.+^${}()|[\]\\/-]/g, '\\$&')

/** The regular expression of a gitignore pattern below a folder. */
function expressionOf(pattern: string): RegExp {
  const [base, rest] = pattern.startsWith('//')
    ? ['', pattern.slice(2)]
    : pattern.startsWith('~/')
      ? [HOME, pattern.slice(2)]
      : /^\.?\//.test(pattern)
        ? [ROOT, pattern.replace(/^\.?\//, '')]
        : [ROOT, /.\//.test(pattern) ? pattern : `**/${pattern}`]
  const names = rest.split('/').filter((name) => name !== '')
  const parts = names.map((name, i) => {
    if (name === '**') return i === names.length - 1 ? '(?:/[^/]+)+' : '(?:/[^/]+)*'
    return `/${escaped(name).replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}`
  })
  return new RegExp(`^${escaped(base)}${parts.join('')}(?:/.*)?$`)
}

const commandExpression = (specifier: string): RegExp => {
  const pattern = specifier.replace(/:\*$/, ' *')
  const isPrefix = pattern.endsWith(' *') && !pattern.slice(0, -1).includes('*')
  const text = escaped(isPrefix ? pattern.slice(0, -2) : pattern).replaceAll('*', '[^]*')
  return new RegExp(`^${text}${isPrefix ? '(?: [^]*)?' : ''}$`)
}

function hostExpression(domain: string): RegExp {
  if (domain === '*') return /./
  return new RegExp(
    `^${escaped(domain)
      .replace(/^\*\\\./, '[^]+\\.')
      .replaceAll('*', '[^.]*')}$`,
    'i',
  )
}

function matchesTool(tool: string, name: string, list: Outcome): boolean {
  if (tool === name || (tool.startsWith('mcp__') && !tool.includes('*') && name.startsWith(`${tool}__`))) return true
  const isOpen = list !== 'allow' || /^mcp__[^*]+?__/.test(tool)
  return isOpen && tool.includes('*') && new RegExp(`^${escaped(tool).replaceAll('*', '.*')}$`).test(name)
}

/** What Claude Code does with a request. */
export function claudeOutcome({ permissions }: Settings, request: PermissionRequest): Outcome {
  const mode = permissions.defaultMode ?? 'default'
  const otherwise: Outcome = mode === 'dontAsk' ? 'deny' : mode === 'bypassPermissions' ? 'allow' : 'ask'
  const first = (
    tool: string,
    fits: (tool: string, specifier: string, list: Outcome) => boolean,
    lists: readonly Outcome[],
  ) =>
    lists.find((list) =>
      (permissions[list] ?? []).some((rule) => {
        const [, name, , specifier] = /^([^()]+)(\((.*)\))?$/.exec(rule) ?? []
        if (specifier === undefined || specifier === '*') return matchesTool(name!, tool, list)
        return fits(name!, specifier, list)
      }),
    )
  const all: readonly Outcome[] = ['deny', 'ask', 'allow']
  const ofPath = (path: string, kind: 'Read' | 'Edit') => (tool: string, specifier: string, list: Outcome) =>
    (tool === kind || (kind === 'Read' && list === 'allow' && tool === 'Edit')) && expressionOf(specifier).test(path)
  if (request.domain === 'tool') return first(request.name, () => false, all) ?? otherwise
  if (request.domain === 'network')
    return (
      first(
        'WebFetch',
        (tool, specifier) =>
          tool === 'WebFetch' &&
          specifier.startsWith('domain:') &&
          hostExpression(specifier.slice(7)).test(request.host),
        all,
      ) ?? otherwise
    )
  if (request.domain === 'filesystem') {
    const read =
      first('Read', ofPath(request.path, 'Read'), all) ?? (request.path.startsWith(`${ROOT}/`) ? 'allow' : otherwise)
    const edits = ['Edit', 'Write'].map((tool) => first(tool, ofPath(request.path, 'Edit'), all) ?? otherwise)
    const edit = all.findLast((outcome) => edits.includes(outcome))!
    if (request.access === 'read') return read
    return request.access === 'write' ? edit : all.find((outcome) => [read, edit].includes(outcome))!
  }
  if (request.domain !== 'execution') return 'deny'
  const line = [request.command, request.args].filter(Boolean).join(' ')
  const commands = line
    .split(/&&|\|\||[;|&\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const bare = commands.map((command) => command.replace(/^(?:(?:timeout \d+|time|nice|nohup) )+/, ''))
  const fits = (texts: readonly string[]) => (tool: string, specifier: string) =>
    tool === 'Bash' && texts.some((text) => commandExpression(specifier).test(text))
  const stop = first('Bash', fits([...commands, ...bare]), ['deny', 'ask'])
  if (stop !== undefined) return stop
  const each = bare.map((command, i) => {
    const isFree = /^(?:echo|pwd|which)(?: |$)/.test(commands[i]!)
    return first('Bash', fits([command]), ['allow']) ?? (isFree ? 'allow' : otherwise)
  })
  return all.find((outcome) => each.includes(outcome)) ?? otherwise
}

interface Sandbox {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] }
  readonly filesystem: Readonly<
    Record<'denyRead' | 'allowRead' | 'allowWrite' | 'denyWrite', readonly string[] | undefined>
  >
}

/** True when a process in the sandbox can do it. Paths are folders with all that is below them. */
export function sandboxAllows({ network, filesystem }: Sandbox, request: PermissionRequest): boolean {
  if (request.domain === 'network') {
    const fits = (entry: string) => {
      const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(entry)!
      return hostExpression(host!).test(request.host) && (port === undefined || Number(port) === request.port)
    }
    return network.allowedDomains.some(fits) && !network.deniedDomains.some(fits)
  }
  if (request.domain !== 'filesystem') return false
  const longest = (list: readonly string[] = []) =>
    Math.max(
      ...list
        .map((given) => given.replace(/^~/, HOME).replace(/^\.(?=\/|$)/, ROOT))
        .map((place) => (place === '/' ? '' : place))
        .filter((folder) => request.path === folder || request.path.startsWith(`${folder}/`))
        .map((folder) => folder.length),
    )
  const within = (list: readonly string[] | undefined) => longest(list) >= 0
  const reads = longest(filesystem.allowRead) >= longest(filesystem.denyRead)
  const isProtected = /\/(?:\.bashrc|\.mcp\.json|\.vscode|\.git\/hooks|\.claude\/agents)(?:\/|$)/.test(request.path)
  const writes = within(filesystem.allowWrite) && !within(filesystem.denyWrite) && !isProtected
  return (request.access === 'write' || reads) && (request.access === 'read' || writes)
}
