// What an agent asks for, and its versions: a page for people, JSON for programs.
import { compareVersions, parseVersion } from '../../bindings/agentlang/versions/range.ts'
import { versionOf } from '../../bindings/host/registry/names.ts'
import type { DescribedOrRemoved } from '../contracts/directory.ts'
import type { StoredVersion } from '../contracts/registry.ts'
import { cardPath, idOfName } from '../directory/catalog-entry.ts'
import { describe } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { prefersPage } from '../http/accept.ts'
import { PAGE_POLICY } from '../http/html.ts'
import { madeAnswer } from '../http/published.ts'
import type { ShownInspection } from './inspection.ts'
import { type ShownVersion, type Version, versionPage } from './page.ts'
import { type RepositoryCall, repositoryOf } from './repository.ts'
import { unknownVersion } from './versions.ts'

/** `GET /v2/DEVELOPER/NAME?reference=VERSION`, or a digest. Without it the highest release that is not yanked. */
export async function readAgent(call: RepositoryCall): Promise<Response> {
  const { request, url, env } = call
  const { name, path, registry } = repositoryOf(call)
  const versions = highestFirst(await registry.versions(name))
  const chosen = choose(versions, url.searchParams.get('reference'))
  if (chosen === undefined) throw unknownVersion()
  const { tag, digest, isYanked } = chosen
  const repository = path.slice('/v2/'.length)
  const [stored, card] = await Promise.all([registry.inspection(name, digest), cardOf(env, repository)])
  const version: ShownVersion = {
    name: repository,
    ...chosen,
    pull: `${url.host}/${repository}${isYanked ? `@${digest}` : `:${tag}`}`,
    ...(card && { card: url.origin + card }),
    versions,
    ...(stored && (JSON.parse(stored) as ShownInspection)),
  }
  if (!prefersPage(request)) return madeAnswer(request, version, 'application/json', { own: { vary: 'accept' } })
  const own = { vary: 'accept', 'content-security-policy': PAGE_POLICY }
  return madeAnswer(request, versionPage(version), 'text/html; charset=utf-8', { own })
}

function choose(versions: readonly Version[], reference: string | null): Version | undefined {
  if (reference !== null)
    return versions.find(({ tag, digest, isYanked }) => reference === digest || (reference === tag && !isYanked))
  const available = versions.filter(({ isYanked }) => !isYanked)
  return available.find(({ tag }) => parsed(tag)?.prerelease.length === 0) ?? available[0] ?? versions[0]
}

const parsed = (tag: string) => parseVersion(versionOf(tag) ?? '')

function highestFirst(stored: readonly StoredVersion[]): readonly Version[] {
  const rows = stored.map(({ isYanked, ...row }) => ({
    row: { ...row, isYanked: isYanked === 1 },
    version: parsed(row.tag),
  }))
  // A container may have a version that is not one of SemVer.
  const order = (a: (typeof rows)[0], b: (typeof rows)[0]) =>
    a.version && b.version ? compareVersions(b.version, a.version) : Number(!a.version) - Number(!b.version)
  return rows.sort(order).map(({ row }) => row)
}

/** The path of the card with the id `agent://DEVELOPER/NAME`. A directory that does not answer has none. */
async function cardOf(env: Env, repository: string): Promise<string | undefined> {
  const id = idOfName(repository)
  const { status, revoked, removed } = await describe(env, id, {}).catch((): Partial<DescribedOrRemoved> => ({}))
  return status === 'OK' && !revoked && removed === undefined ? cardPath(id) : undefined
}
