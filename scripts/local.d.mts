import type { LogLevel, Miniflare, WorkerOptions } from 'miniflare'
import type { Bundle } from './bundle-worker.mjs'

export function optionsIn(file: string): WorkerOptions

export function startLocal(options: {
  readonly root?: string
  readonly bundle: Bundle
  readonly host: string
  readonly port: number
  readonly bindings: Readonly<Record<string, string>>
  readonly state?: string
  readonly log?: LogLevel
}): Promise<Miniflare>
