// What the page of a version shows. It is computed when the version is published, so that a reader costs one row.
import {
  type AgentInspection,
  HOST_PRESETS,
  type HostVerdict,
  hostVerdict,
  inspectAgent,
  load,
  type OpenedContainer,
  readableFiles,
} from 'blazon/agentlang'
import { cut } from '../../bindings/text/words.ts'

export interface ShownInspection {
  /** True when lists or texts were shortened. */
  readonly isCut: boolean
  readonly inspection: AgentInspection
  readonly hosts: readonly HostVerdict[]
}

const LONGEST_TEXT = 400
const LONGEST_LIST = 200
/** Lists are halved until the JSON fits: a developer may have 1,000 versions. */
const LONGEST_JSON = 1 << 16

/** The inspection of a container as JSON; undefined when its agent cannot be read. */
export function inspectionOf(container: OpenedContainer): string | undefined {
  const { agent } = load(readableFiles(container))
  if (agent === undefined) return undefined
  const whole: Omit<ShownInspection, 'isCut'> = {
    inspection: inspectAgent(agent, { container }),
    hosts: HOST_PRESETS.map((host) => hostVerdict(inspectAgent(agent, { host }).host!)),
  }
  for (let most = LONGEST_LIST; ; most >>= 1) {
    let isCut = false
    const shorten = (_: string, value: unknown) => {
      const short = typeof value === 'string' ? cut(value, LONGEST_TEXT) : firstOf(value, most)
      isCut ||= short !== value
      return short
    }
    const json = JSON.stringify(whole, shorten)
    if (json.length <= LONGEST_JSON || most === 1) return `{"isCut":${isCut},${json.slice(1)}`
  }
}

const firstOf = (value: unknown, most: number) =>
  Array.isArray(value) && value.length > most ? value.slice(0, most) : value
