// Host files: which capabilities a host grants in which modes, and which protocols it has.
import { escapeToken, isObject, isText, member, objectOf } from '../../text/members.ts'
import { oneOf, quoted, shown, suggest } from '../../text/words.ts'
import { parseVersion } from '../versions/version.ts'
import { CAPABILITIES, isMode, MODES, type Mode } from './capabilities.ts'
import presets from './hosts.json' with { type: 'json' }

const STATES = ['accepted', 'deprecated', 'removed'] as const

/** The versions of a protocol, by what a host does with them. */
type HostProtocol = Readonly<Record<(typeof STATES)[number], readonly string[]>>

export interface Host {
  readonly name: string
  /** The modes of each capability. A capability that is absent is never granted. */
  readonly capabilities: ReadonlyMap<string, readonly Mode[]>
  /** The capabilities for which the host prompts the user. */
  readonly asks: ReadonlySet<string>
  /** Undefined for a host that does not say which protocols it has. */
  readonly protocols: ReadonlyMap<string, HostProtocol> | undefined
}

export interface HostResult {
  /** Undefined when there are faults. */
  readonly host: Host | undefined
  readonly faults: readonly { readonly pointer: string; readonly detail: string }[]
}

/**
 * Reads a host file: `{ name, capabilities: { camera: ['on_demand'], shell: false }, asks: ['camera'], protocols: { a2a:
 * { accepted: ['2.0.0'], deprecated: ['1.0.0'] } } }`. `asks` may be true, for all capabilities.
 */
export function readHost(value: unknown): HostResult {
  const faults: { pointer: string; detail: string }[] = []
  const expect = (isMet: boolean, pointer: string, wanted: string, found: unknown) => {
    if (!isMet) faults.push({ pointer, detail: `Expected ${wanted}, found ${shown(found)}` })
  }
  const { name, capabilities: granted, asks = [], protocols } = objectOf(value)
  expect(isText(name) && name !== '', '/name', 'a name', name)
  expect(isObject(granted), '/capabilities', 'an object', granted)
  const capabilities = new Map<string, readonly Mode[]>()
  for (const [capability, modes] of Object.entries(objectOf(granted))) {
    const pointer = `/capabilities/${escapeToken(capability)}`
    if (!CAPABILITIES.includes(capability)) faults.push({ pointer, detail: unknownCapability(capability) })
    else if (Array.isArray(modes) && modes.every(isMode)) capabilities.set(capability, modes)
    else expect(modes === false, pointer, `false, or a list of ${oneOf(MODES)}`, modes)
  }
  const areListed = Array.isArray(asks) && asks.every((one) => CAPABILITIES.includes(one))
  expect(asks === true || areListed, '/asks', 'true, or a list of capabilities', asks)
  expect(protocols === undefined || isObject(protocols), '/protocols', 'an object', protocols)
  const versions = Object.entries(objectOf(protocols)).map(([protocol, states]) => {
    const lists = STATES.map((state) => {
      const list = member(objectOf(states), state) ?? []
      const areVersions = Array.isArray(list) && list.every((one) => parseVersion(one) !== undefined)
      expect(areVersions, `/protocols/${escapeToken(protocol)}/${state}`, 'a list of versions', list)
      return [state, list] as const
    })
    return [protocol, Object.fromEntries(lists) as HostProtocol] as const
  })
  if (faults.length > 0) return { host: undefined, faults }
  const host: Host = {
    name: name as string,
    capabilities,
    asks: new Set(asks === true ? CAPABILITIES : (asks as string[])),
    protocols: protocols === undefined ? undefined : new Map(versions),
  }
  return { host, faults }
}

export function unknownCapability(name: string): string {
  const meant = suggest(name, CAPABILITIES)
  return `${quoted(name)} is not a capability${meant === undefined ? '' : `; did you mean '${meant}'?`}`
}

/** The hosts of Host Responsibility. The text does not say which protocols they have. */
export const HOSTS: readonly Host[] = presets.map((file) => readHost(file).host!)
