import type { Agent } from '../agent.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { type Execution, readExecution } from './execution.ts'
import { type Filesystem, readFilesystem } from './filesystem.ts'
import { type Network, readNetwork } from './network.ts'
import { readPart, type Unusable } from './part.ts'
import { type ResourceLimits, readResourceLimits } from './resource.ts'
import type { System } from './system.ts'

/** The domains of a document's permissions, each read on first use, or the reason that it grants nothing. */
export class Permissions {
  readonly #value: { readonly pointer: string; readonly value: unknown } | undefined
  readonly #system: System

  constructor({ root }: Agent, system: System = { windows: false, ignoreCase: false }) {
    const present = Object.hasOwn(root.value, 'permissions')
    this.#value = present ? { pointer: '/permissions', value: root.value['permissions'] } : undefined
    this.#system = system
  }

  get network(): Network | Unusable {
    return readPart(this.#value, 'network', readNetwork)
  }

  get filesystem(): Filesystem | Unusable {
    return readPart(this.#value, 'filesystem', (part) => readFilesystem(part, this.#system))
  }

  get environment(): Environment | Unusable {
    return readPart(this.#value, 'environment', (part) => readEnvironment(part, this.#system))
  }

  get execution(): Execution | Unusable {
    return readPart(this.#value, 'execution', (part) => readExecution(part, this.#system))
  }

  get resourceLimits(): ResourceLimits | Unusable {
    return readPart(this.#value, 'resource_limits', readResourceLimits)
  }
}
