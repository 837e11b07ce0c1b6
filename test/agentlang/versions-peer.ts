// @ts-expect-error The package has no types.
import semver from 'semver'
import { highest, parseRange, parseVersion, satisfies } from '../../bindings/agentlang/lock/range.ts'
import { random } from '../support/random.ts'

// npm's semver and ours on random ranges and versions. Small numbers make matches likely.

const OPERATORS = ['', '', '', '=', '>', '>=', '<', '<=', '^', '~', '~>', '==', '>==', '=>']
const BLANKS = ['', '', '', '', ' ', '  ', '\t']
const PARTS = ['0', '0', '1', '1', '2', '3', '10', 'x', 'X', '*', '01', '9007199254740991', '9007199254740992', '']
const PRERELEASES = [
  '-0',
  '-alpha',
  '-alpha.1',
  '-1.beta',
  '-rc.01',
  '-a-b',
  '-',
  '--',
  '-01a',
  '+build',
  '-beta+build.5',
]
const JOINTS = [' ', ' ', ' ', '  ', ' - ', ' || ', '||', ' ||', ',', ' -']

/** What the two disagree on: ranges of which one is invalid, and versions in only one of them. */
export function disagreements(count: number, seed: number): string[] {
  const next = random(seed)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)]!
  const chance = (likelihood: number) => next() < likelihood
  const number = () => (chance(0.9) ? pick(PARTS.slice(0, 7)) : pick(PARTS))
  const prerelease = () => (chance(0.25) ? pick(PRERELEASES) : '')
  const version = () => `${chance(0.05) ? 'v' : ''}${number()}.${number()}.${number()}${prerelease()}`
  const partial = () => {
    const prefix = chance(0.05) ? pick(['=', '= ', 'v ', '==', 'v=']) : ''
    const parts = Array.from({ length: pick([1, 2, 3, 3, 3, 4]) }, () => (chance(0.85) ? number() : pick(PARTS)))
    return `${prefix}${parts.join('.')}${prerelease()}`
  }
  const term = () => `${pick(OPERATORS)}${pick(BLANKS)}${partial()}`
  const range = () => {
    let text = chance(0.05) ? '' : term()
    while (chance(0.4)) text += pick(JOINTS) + term()
    return text
  }
  const found: string[] = []
  for (let i = 0; i < count; i++) {
    const text = range().slice(0, 256)
    const own = parseRange(text)
    const theirs: string | null = semver.validRange(text)
    if ((own === undefined) !== (theirs === null)) found.push(`${JSON.stringify(text)}: npm has ${theirs}`)
    if (own === undefined || theirs === null) continue
    const versions = Array.from({ length: 8 }, version)
    for (const one of versions) {
      const parsed = parseVersion(one)
      const isIn = parsed !== undefined && satisfies(own, parsed)
      if (isIn !== semver.satisfies(one, text)) found.push(`${JSON.stringify(text)}: ${one}: Blazon says ${isIn}`)
    }
    const best = highest(own, versions) ?? null
    if (best !== semver.maxSatisfying(versions, text))
      found.push(`${JSON.stringify(text)}: highest of ${versions} is ${best}`)
  }
  return found
}
