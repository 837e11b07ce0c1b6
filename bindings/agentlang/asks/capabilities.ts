// The capabilities that an agent may ask for, with their risks and modes.
import { objectOf } from '../../text/members.ts'

type Risk = 'low' | 'medium' | 'high' | 'critical'

/** Permission Modes: in their order, and `scheduled`, which is next to them. */
export type Mode = 'user_triggered' | 'on_demand' | 'continuous' | 'scheduled'

/** Capability Categories, from the lowest risk to the highest. */
export const CATEGORIES: readonly { name: string; risk: Risk; capabilities: readonly string[] }[] = [
  { name: 'network', risk: 'low', capabilities: ['network', 'websocket', 'p2p'] },
  { name: 'storage', risk: 'medium', capabilities: ['storage', 'filesystem', 'keychain'] },
  { name: 'sensors', risk: 'high', capabilities: ['microphone', 'camera', 'screen_capture', 'location'] },
  { name: 'system', risk: 'high', capabilities: ['background', 'notifications', 'clipboard', 'shell'] },
  { name: 'identity', risk: 'critical', capabilities: ['oauth', 'wallet', 'signing'] },
]

export const CAPABILITIES: readonly string[] = CATEGORIES.flatMap(({ capabilities }) => capabilities)

export const MODES: readonly Mode[] = ['user_triggered', 'on_demand', 'continuous', 'scheduled']
const BACKGROUND_MODES: readonly Mode[] = ['scheduled', 'continuous']

export const isMode = (value: unknown): value is Mode => MODES.some((mode) => mode === value)

/** The modes that a capability can have, the lowest first. */
export const modesOf = (capability: string) => (capability === 'background' ? BACKGROUND_MODES : MODES)

/** The modes that a host may grant for a mode, the highest first. Nothing replaces a schedule. */
export function grantable(capability: string, mode: Mode): readonly Mode[] {
  const modes = modesOf(capability)
  return mode === 'scheduled' ? [mode] : modes.slice(0, modes.indexOf(mode) + 1).reverse()
}

/** The schedules of `wake_triggers`. */
export const wakeSchedules = (triggers: unknown): readonly unknown[] =>
  Array.isArray(triggers) ? triggers.map((trigger) => objectOf(trigger)['schedule']) : []
