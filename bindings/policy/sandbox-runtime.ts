// What sandbox-runtime lets a process do, by its settings file.
// https://github.com/anthropic-experimental/sandbox-runtime#configuration
import type { Document } from '../document/parse.ts'
import { detectKind, fits } from '../frame/detect.ts'
import { elements, isObject, isText, objectMember, objectOf, without } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import type { Answer } from './matrix.ts'
import type { Places } from './path.ts'
import {
  deniedGlobs,
  depthOf,
  hostRule,
  inFolder,
  isGlob,
  type PathRule,
  placeOf,
  type SandboxGranting,
  sandboxGranting,
} from './sandbox.ts'

const PATHS = ['denyRead', 'allowRead', 'allowWrite', 'denyWrite'] as const
const DOMAINS = ['deniedDomains', 'allowedDomains'] as const
/** A name with a dot, also after `*.`; `localhost`; an address in brackets. */
const ALLOWED = /^(?:(?:localhost|\[[^\]]*\])(?::|$)|(?:\*\.)?[^.*]+\.[^*]+$)/

/** What it never lets a process write, in any folder: files that decide what runs later. */
export const PROTECTED_NAMES =
  /* @__PURE__ */
  '.bashrc .bash_profile .zshrc .zprofile .profile .gitconfig .gitmodules .ripgreprc .mcp.json .vscode .idea .claude/commands .claude/agents .git/hooks .git/config'.split(
    ' ',
  )

/** True for settings of sandbox-runtime, which no member names. */
export const isSandboxSettings = (document: Document): boolean =>
  isObject(document.value) &&
  fits([{ is: { network: 'object', filesystem: 'object' } }], document.value) &&
  detectKind(document) === undefined

/** Settings as a sandbox. The runtime refuses lists of another form, so these deny everything. */
export function sandboxRuntimeGranting(document: Document, places: Places): SandboxGranting {
  const root = { pointer: '', value: objectOf(document.value) }
  const [network, filesystem] = ['network', 'filesystem'].map((name) => objectMember(root, name))
  const rule = (list: string, text: string, decidedBy: string): Answer => {
    const outcome = list.startsWith('allow') ? 'allow' : 'deny'
    return { outcome, reason: `${list} has ${quoted(cut(text, 200))}`, decidedBy }
  }
  const paths = (list: (typeof PATHS)[number]) =>
    elements(filesystem, list, isText).map(({ value: text, pointer }) => {
      const path = placeOf(/^\*|^:/.test(text) ? `./${text}` : text, places)
      return { folder: path.replace(/\/\*\*$/, ''), path, answer: rule(list, text, pointer), pointer }
    })
  const literal = (list: (typeof PATHS)[number]) => paths(list).filter(({ folder }) => !isGlob(folder))
  const globs = (['denyRead', 'denyWrite'] as const).map((list) =>
    paths(list).flatMap(({ folder, path, pointer }) => (isGlob(folder) ? [{ value: path, pointer }] : [])),
  )
  const rules = (list: ReturnType<typeof paths>) => list.map(({ folder, answer }) => inFolder(folder, answer))
  const everything = { outcome: 'allow', reason: 'denyRead does not have it', decidedBy: filesystem?.pointer } as const
  const hidden: PathRule = {
    answer: { outcome: 'deny', reason: 'sandbox-runtime protects such files from being written', decidedBy: undefined },
    subjects: [],
    matches: (path) => PROTECTED_NAMES.some((name) => `${path.toLowerCase()}/`.includes(`/${name}/`)),
  }
  const isList = (one: unknown) =>
    one === undefined || (Array.isArray(one) && one.every((text) => isText(text) && text !== ''))
  const isBroken = [
    ...PATHS.map((name) => filesystem?.value[name]),
    ...DOMAINS.map((name) => network?.value[name]),
  ].some((one) => !isList(one))
  const broken: Answer = { outcome: 'deny', reason: 'sandbox-runtime refuses these settings', decidedBy: '' }
  const hosts = DOMAINS.flatMap((list) =>
    elements(network, list, isText).flatMap(({ value: text, pointer }) =>
      list === 'allowedDomains' && !ALLOWED.test(text) ? [] : hostRule(text, rule(list, text, pointer)),
    ),
  )
  return sandboxGranting(
    {
      // What is denied in an allowed folder stays denied, and what is allowed in a denied one is allowed.
      read: [
        ...rules(
          [...literal('allowRead'), ...literal('denyRead')].sort((a, b) => depthOf(b.folder) - depthOf(a.folder)),
        ),
        ...deniedGlobs(globs[0]!, 'denyRead has a pattern that may match'),
        inFolder('', everything, true),
      ],
      write: [
        hidden,
        ...deniedGlobs(globs[1]!, 'denyWrite has a pattern that may match'),
        ...rules([...literal('denyWrite'), ...literal('allowWrite')]),
      ],
      hosts,
      line: () => ({ outcome: 'deny', reason: 'sandbox-runtime does not limit commands', decidedBy: undefined }),
      otherwise: { outcome: 'deny', reason: '', decidedBy: undefined },
      doubts: isBroken ? (['read', 'write', 'host', 'line'] as const).map((of) => [of, broken] as const) : [],
      globs: globs.flat(),
      rest: {
        ...root.value,
        network: without(network?.value, DOMAINS),
        filesystem: without(filesystem?.value, PATHS),
      },
    },
    places,
    document,
  )
}
