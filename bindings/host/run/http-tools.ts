// The http_tools of an agent, sent by the host's fetch.
import {
  buildRequest,
  parametersOf,
  parseResponse,
  type RequestOptions,
} from '../../agentlang/functions/tools/contract.ts'
import { readAtMost } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { type JsonObject, member, objectOf } from '../../text/members.ts'
import type { RunTool } from './model.ts'
import { definitionOf, failed } from './tools.ts'
import { fetchAllowed } from './urls.ts'

export interface HttpToolOptions extends Partial<RequestOptions> {
  /** Must refuse private networks: the model chooses parts of URLs. */
  readonly fetch: GuardedFetch
}

const LARGEST_BODY = 4 << 20
/** Stands for the missing base of absolute endpoints; no URL has its origin. */
const NO_BASE = 'https://base.invalid'

/** The tools of `http_tools`. Those with a relative endpoint need a base. */
export function httpTools(agent: JsonObject, { fetch, ...options }: HttpToolOptions): readonly RunTool[] {
  const tools = Object.entries(objectOf(member(agent, 'http_tools')))
  return tools.flatMap(([name, value]) => {
    const tool = objectOf(value)
    const endpoint = member(tool, 'endpoint')
    if (options.base === undefined && !/^https?:/i.test(String(endpoint))) return []
    return [httpTool(name, tool, { base: NO_BASE, ...options, fetch })]
  })
}

function httpTool(name: string, tool: JsonObject, options: HttpToolOptions & { readonly base: string }): RunTool {
  return {
    definition: definitionOf(name, tool, parametersOf(tool)),
    needs: ['network'],
    async call(input, context) {
      const built = buildRequest(tool, input, options)
      if ('faults' in built) return { kind: 'validation_error', faults: built.faults }
      const response = await fetchAllowed(options.fetch, { ...built.request, signal: context.signal }, context)
      const body = await readAtMost(response, LARGEST_BODY)
      if (body === undefined) return failed(`the response is larger than ${LARGEST_BODY} bytes`)
      return parseResponse(tool, { status: response.status, headers: Object.fromEntries(response.headers), body })
    },
  }
}
