import type { LogLevel, Miniflare } from 'miniflare'

export function startLocal(options: {
  readonly root?: string
  readonly host: string
  readonly port: number
  readonly bindings: Readonly<Record<string, string>>
  readonly state?: string
  readonly log?: LogLevel
}): Promise<Miniflare>
