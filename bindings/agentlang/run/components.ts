import { CompiledSchema } from '../../schema/run.ts'
import { compileSchema } from '../../schema/schema.ts'
import { visible } from '../../text/hidden.ts'
import { isObject, type JsonObject, member, objectOf } from '../../text/members.ts'
import { cut, quoted, shown } from '../../text/words.ts'
import { toolNames } from '../tool-names.ts'
import { renderAll, type TemplateFault } from './template.ts'

export declare namespace renderToolUI {
  type Status = 'pending' | 'running' | 'completed' | 'failed'

  interface Result {
    readonly component: string
    readonly props: unknown
    /** Their names; `routeAction` with the tool and its status says what they do. */
    readonly actions: { readonly sync: readonly string[]; readonly agent: readonly string[] }
  }
}

/** An action of a component, or of what a tool shows in a status. */
export interface UserAction {
  readonly component?: string
  readonly tool?: string
  readonly status?: renderToolUI.Status
  readonly action: string
  readonly props?: JsonObject
  /** What the user chose in the component. Its members replace props of the same name. */
  readonly state?: JsonObject
}

export declare namespace routeAction {
  type Result =
    /** The host calls the tool at once. It provides tools of `system://` itself. */
    | { readonly path: 'sync'; readonly tool: string; readonly params: unknown }
    /** The model decides. */
    | { readonly path: 'agent'; readonly message: string; readonly context: unknown }
    | { readonly path: 'fault'; readonly reason: string; readonly fault?: TemplateFault }
}

/** The tools by which a model shows components; `schemas` are the host's, for the props of each component. */
export function renderTools(agent: JsonObject, schemas: JsonObject = {}): readonly JsonObject[] {
  return Object.keys(objectOf(member(agent, 'ui_components'))).map((name) => ({
    name: `render_${name}`,
    description: `Shows the component ${name} to the user.`,
    input_schema: member(schemas, name) ?? { type: 'object' },
  }))
}

/** Decides what an action of the user does. Calls nothing, and gives no call with a template that has no value. */
export function routeAction(agent: JsonObject, action: UserAction, tools: readonly string[] = []): routeAction.Result {
  const target = targetOf(agent, action, tools)
  if ('reason' in target) return { path: 'fault', reason: target.reason }
  const { component, tool, action: name, props = {}, state = {} } = action
  const rendering = renderAll(target.params, { ...props, ...state })
  if ('fault' in rendering) return { path: 'fault', reason: 'a template has no value', fault: rendering.fault }
  if (target.tool !== undefined) return { path: 'sync', tool: target.tool, params: rendering.value }
  const message = `The user chose ${quoted(name)} on ${quoted(component ?? tool ?? '')}.`
  return { path: 'agent', message, context: rendering.value }
}

/** Where an action leads, before its templates have values; without a tool to the model. */
type ActionTarget = { readonly tool: string | undefined; readonly params: unknown } | { readonly reason: string }

export function targetOf(agent: JsonObject, action: UserAction, tools: readonly string[] = []): ActionTarget {
  const { component, tool, status = 'completed', action: name } = action
  const source =
    tool === undefined
      ? member(objectOf(member(agent, 'ui_components')), component ?? '')
      : member(objectOf(toolUIOf(agent, tool, status)), 'actions')
  const { sync, other } = actionsOf(source)
  if (Object.hasOwn(sync, name) && Object.hasOwn(other, name)) return { reason: `${quoted(name)} has two declarations` }
  const declared = member(sync, name) ?? member(other, name)
  if (!isObject(declared)) return { reason: `${quoted(name)} is not declared` }
  const params = member(declared, 'params') ?? {}
  const target = member(declared, 'tool')
  if (declared === member(other, name) && target !== undefined) return { reason: 'an agent action has no tool' }
  if (target === undefined) return { tool: undefined, params }
  const isKnown = typeof target === 'string' && (toolNames(agent).all.has(target) || tools.includes(target))
  if (!isKnown && !isSystemTool(target)) return { reason: `the agent has no tool ${shown(target)}` }
  return { tool: target as string, params }
}

const STATUSES: readonly renderToolUI.Status[] = ['pending', 'running', 'completed', 'failed']

/** The actions of all components, and of what tools show. */
export function declaredActions(agent: JsonObject): readonly UserAction[] {
  const namesIn = (source: unknown) => {
    const { sync, other } = actionsOf(source)
    return Object.keys({ ...sync, ...other })
  }
  const components = Object.entries(objectOf(member(agent, 'ui_components')))
  return [
    ...components.flatMap(([component, source]) => namesIn(source).map((action) => ({ component, action }))),
    ...Object.keys(objectOf(member(agent, 'http_tools'))).flatMap((tool) =>
      STATUSES.flatMap((status) =>
        namesIn(member(objectOf(toolUIOf(agent, tool, status)), 'actions')).map((action) => ({ tool, status, action })),
      ),
    ),
  ]
}

/** Actions by name. A list has names alone: `- regenerate`. */
export function actionsOf(source: unknown): { readonly sync: JsonObject; readonly other: JsonObject } {
  const [sync, other] = ['sync_actions', 'agent_actions'].map((name) => {
    const actions = member(objectOf(source), name)
    if (!Array.isArray(actions)) return objectOf(actions)
    return Object.fromEntries(actions.filter((action) => typeof action === 'string').map((action) => [action, {}]))
  }) as [JsonObject, JsonObject]
  return { sync, other }
}

export const isSystemTool = (name: unknown): boolean => typeof name === 'string' && name.startsWith('system://')

/** What an HTTP tool shows in a status; undefined when it declares nothing for it. */
export function renderToolUI(
  agent: JsonObject,
  { tool, status }: { readonly tool: string; readonly status: renderToolUI.Status },
  data: { readonly json?: unknown; readonly error?: unknown; readonly params?: unknown },
): renderToolUI.Result | { readonly fault: TemplateFault } | undefined {
  const declared = objectOf(toolUIOf(agent, tool, status))
  const component = member(declared, 'component')
  if (typeof component !== 'string') return undefined
  const rendering = renderAll(member(declared, 'props') ?? {}, data)
  if ('fault' in rendering) return rendering
  const { sync, other } = actionsOf(member(declared, 'actions'))
  return { component, props: rendering.value, actions: { sync: Object.keys(sync), agent: Object.keys(other) } }
}

function toolUIOf(agent: JsonObject, tool: string, status: string): unknown {
  const declared = member(objectOf(member(agent, 'http_tools')), tool)
  return member(objectOf(member(objectOf(declared), 'ui_component')), status)
}

/** The component whose props accept a result; of several, the one that declares most members of the result. */
export function routeResult(result: unknown, components: JsonObject): string | undefined {
  let [best, most] = [undefined as string | undefined, -1]
  for (const name of Object.keys(components)) {
    const schema = compileSchema(components[name])
    const declared = objectOf(member(objectOf(components[name]), 'properties'))
    const count = isObject(result) ? Object.keys(result).filter((member) => Object.hasOwn(declared, member)).length : 0
    if (count <= most || !(schema instanceof CompiledSchema) || schema.validate(result).length > 0) continue
    best = name
    most = count
  }
  return best
}

const MOST_HINTS = 100

/** The suggestions and integrations of ux.yaml; leaves out what is malformed, and links that are not web addresses. */
export function hintsOf(ux: JsonObject) {
  const texts = (list: unknown): readonly string[] => {
    return (Array.isArray(list) ? list : []).filter((text) => typeof text === 'string').slice(0, MOST_HINTS)
  }
  const tools = Object.entries(objectOf(member(ux, 'tools')))
  const integrations = member(ux, 'integrations')
  return {
    suggestions: texts(member(ux, 'suggestions')),
    toolSuggestions: Object.fromEntries(tools.map(([name, hints]) => [name, texts(objectOf(hints)['suggestions'])])),
    integrations: (Array.isArray(integrations) ? integrations : []).slice(0, MOST_HINTS).flatMap((integration) => {
      const { name, website } = objectOf(integration)
      const isWeb = typeof website === 'string' && URL.canParse(website) && /^https?:/.test(new URL(website).protocol)
      return typeof name === 'string' ? [{ name, ...(isWeb ? { website } : {}) }] : []
    }),
  }
}

const LONGEST_LABEL = 120

export declare namespace labelsOf {
  interface Options {
    /** The content of ux.yaml. */
    readonly ux?: unknown
    /** The tool's own definition. */
    readonly tool?: unknown
    /** The MCP server of the tool. */
    readonly server?: string
  }
}

/** What to show while a tool runs and after it: from ux.yaml, otherwise from the tool, otherwise its name. */
export function labelsOf(name: string, { ux, tool, server }: labelsOf.Options = {}) {
  const hints = objectOf(ux)
  const group = server === undefined ? member(hints, 'tools') : member(objectOf(member(hints, 'mcp_tools')), server)
  const sources = [member(objectOf(group), name), tool].map((source) => objectOf(member(objectOf(source), 'labels')))
  const words = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const label = (state: 'running' | 'finished') => {
    const found = sources.map((labels) => member(labels, state)).find((text) => typeof text === 'string' && text !== '')
    const text = (found as string | undefined) ?? (words === '' ? name : words[0]!.toUpperCase() + words.slice(1))
    return visible(cut(text, LONGEST_LABEL))
  }
  return { running: label('running'), finished: label('finished') }
}
