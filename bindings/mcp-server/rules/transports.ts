// Rules for packages and for the transports of a server.
import type { Rule } from '../../frame/rule.ts'
import { isLoopback } from '../../net/guard.ts'
import { elements, isObject, member, objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { hostOf } from '../../text/private-host.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { argumentsOf, type McpServer } from '../server.ts'

export const transportUrl: Rule<McpServer> = {
  ...FINDINGS.TRANSPORT_URL,
  check({ packages }, report) {
    for (const transport of packages.flatMap((one) => objectMember(one, 'transport') ?? [])) {
      const type = textMember(transport, 'type')?.value
      if ((type === 'streamable-http' || type === 'sse') && !Object.hasOwn(transport.value, 'url'))
        report(transport.pointer, `Expected a url for ${type}`)
    }
  },
}

export const undeclaredVariable: Rule<McpServer> = {
  ...FINDINGS.UNDECLARED_VARIABLE,
  check({ packages, remotes }, report) {
    for (const remote of remotes) {
      const declared = Object.keys(objectMember(remote, 'variables')?.value ?? {})
      for (const [pointer, detail] of undeclared(remote, declared)) report(pointer, detail)
    }
    for (const one of packages) {
      for (const [pointer, detail] of undeclared(objectMember(one, 'transport'), namesOf(one))) report(pointer, detail)
    }
  },
}

/** The maximum number of undeclared variables that are reported for one address. */
const MOST_VARIABLES = 20

function undeclared(transport: PlacedObject | undefined, declared: readonly string[]): [string, string][] {
  const url = textMember(transport, 'url')
  const used = new Set(Array.from(url?.value.matchAll(/\{([A-Za-z_]\w*)\}/g) ?? [], ([, name]) => name!))
  const known = new Set(declared)
  const unknown = [...used].filter((name) => !known.has(name)).slice(0, MOST_VARIABLES)
  return unknown.map((name) => [url!.pointer, `${quoted(`{${name}}`)} is declared nowhere`])
}

/**
 * The variables that the address of a package may use: the names of its arguments, without dashes, and of its
 * environment.
 */
function namesOf(one: PlacedObject): string[] {
  const inputs = [...argumentsOf(one), ...elements(one, 'environmentVariables', isObject)]
  return inputs.flatMap((input) =>
    ['name', 'valueHint'].flatMap((name) => textMember(input, name)?.value.replace(/^--?/, '') ?? []),
  )
}

export const plainHttp: Rule<McpServer> = {
  ...FINDINGS.PLAIN_HTTP,
  check({ remotes }, report) {
    for (const url of remotes.flatMap((remote) => textMember(remote, 'url') ?? [])) {
      if (url.value.startsWith('http://') && !isLoopback(hostOf(url.value)?.toLowerCase() ?? ''))
        report(url.pointer, `Expected https, found ${quoted(url.value)}`)
    }
  },
}

export const repeatedPackage: Rule<McpServer> = {
  ...FINDINGS.REPEATED_PACKAGE,
  check({ packages }, report) {
    const seen = new Map<string, PlacedObject>()
    for (const one of packages) {
      const { registryType, identifier, version } = one.value
      if (typeof identifier !== 'string') continue
      // One package may have several transports.
      const type = member(objectMember(one, 'transport')?.value, 'type')
      const key = JSON.stringify([registryType, identifier, version, type])
      const first = seen.get(key)
      if (first === undefined) seen.set(key, one)
      else {
        const related = [{ pointer: first.pointer, message: 'the same package' }]
        report(`${one.pointer}/identifier`, `${quoted(identifier)} is there already`, { related })
      }
    }
  },
}

export const cardPackages: Rule<McpServer> = {
  ...FINDINGS.CARD_PACKAGES,
  check({ root, isCard }, report) {
    if (isCard && Object.hasOwn(root.value, 'packages'))
      report('/packages', 'Server cards have remotes only', { atName: true })
  },
}
