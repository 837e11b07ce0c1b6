// Where --to of a verb writes runs: a folder, or a server.
import { resolve } from 'node:path'
import { fileSink } from '../../bindings/node/file-sink.ts'
import { type RunSink, urlSink } from '../../bindings/runs/record/sink.ts'
import { compact, type Option, type Tools, UsageError } from '../command.ts'
import { readToken } from '../keys.ts'

export const RUN_TOKEN = {
  value: 'TOKEN',
  about: 'the token for the server: a file, env:NAME, or -',
} as const satisfies Option

/** The place of runs. Everything that a server does not take is in the folder. */
export interface RunPlace {
  readonly folder: string
  readonly url: string | undefined
}

/** Reads --to; throws for what is neither a folder nor a server. */
export function placeOf(to: string | undefined, otherwise: string, { cwd }: Tools['host']): RunPlace {
  const wrong = (why: string) => new UsageError('invalid-value', `--to: ${why}`, 'name a folder, or a URL with https')
  if (to === undefined) return { folder: resolve(cwd, otherwise), url: undefined }
  if (/^https?:|^[a-z][a-z\d+.-]+:\//i.test(to)) {
    try {
      urlSink(to)
    } catch {
      throw wrong(`${to} is not the URL of a server`)
    }
    const { username, password, search, hash } = new URL(to)
    if (username + password + search + hash !== '') throw wrong('the URL has more than a host and a path')
    return { folder: resolve(cwd, otherwise), url: to }
  }
  if (to.trim() === '' || to.includes('\0')) throw wrong('the name of the folder is empty')
  return { folder: resolve(cwd, to), url: undefined }
}

/** Where the lines of runs go. */
export async function sinkAt({ folder, url }: RunPlace, token: string | undefined, tools: Tools): Promise<RunSink> {
  if (url === undefined) return fileSink(folder)
  return urlSink(url, {
    fetch: (to, init = {}) => tools.host.send(to, init),
    ...compact({ token: token && (await readToken('token', token, tools)) }),
  })
}
