import { Agent } from '../../adl/subject.ts'
import { parse } from '../../document/parse.ts'
import { isMimeType } from '../../schema/formats.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  textMember,
} from '../../text/members.ts'
import { moveCounterparts } from '../counterparts.ts'
import { CONVERT_AUTHENTICATION, CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type ExportJob, type Job, moveNeeded, Problems, type Product, textOf, uriOf } from '../job.ts'
import { child, equal, isTexts, type MutableObject } from '../json.ts'
import { type Carrier, definitionBaggage, EXTENSION, foreignBaggage, Ledger, restore, shownOf } from '../ledger.ts'
import {
  beginA2a,
  extensionOf,
  firstScheme,
  INTERFACES,
  type Interface,
  ITSELF,
  interfacesOf,
  MEDIA_TYPES,
  OWN,
  openScheme,
  putInterfaces,
  putScheme,
  type Scheme,
  skillOfItself,
  skipExtension,
  speaking,
  tellAdded,
  textLists,
  type Version,
  writeTags,
} from '../sides/a2a.ts'
import { begin, finish, keeper, ToolNames } from '../sides/definition.ts'

const PARAMS = '/capabilities/extensions/0/params'

/** Makes an A2A card from a definition (ADL 15.1). */
export function toCard(job: ExportJob, version: Version): Product {
  const { agent, ledger, options } = job
  const own = objectMember(agent.root, OWN)
  const card = beginA2a(version, ledger)
  moveNeeded(job, agent.root, 'name', card, '/name')
  moveNeeded(job, agent.root, 'description', card, '/description')
  writeInterfaces(job, card, version, own?.value)
  moveNeeded(job, agent.root, 'version', card, '/version')
  writeProvider(job, card)
  moveCounterparts(ledger, 'adl-a2a', agent.root, card)
  const icon = textOf(own, 'iconUrl')
  if (icon !== undefined) {
    card['iconUrl'] = icon
    ledger.shown(`/${OWN}/iconUrl`, '/iconUrl')
  }
  card['capabilities'] = {}
  writeModes(job, card)
  writeSecurity(job, card, version)
  writeSkills(job, card)
  const take = (params: unknown) => {
    const description = 'What the ADL 0.1 definition of this agent says and this card does not.'
    child(card, 'capabilities')['extensions'] = [{ uri: EXTENSION, description, params }]
    ledger.added('/capabilities/extensions/0', 'the extension whose params are members of the definition')
  }
  const carriers = [['', { target: PARAMS, take }]] as const
  return { document: card, baggage: definitionBaggage(options, carriers, 'an A2A card has no member for it') }
}

function writeInterfaces(job: ExportJob, card: MutableObject, version: Version, own?: JsonObject): void {
  const { ledger, options, problems } = job
  const address = addressOf(job)
  const given: Interface[] = address === undefined ? [] : [{ url: address, binding: options.binding ?? 'JSONRPC' }]
  const interfaces = given.length > 0 ? given : own === undefined ? [] : speaking(interfacesOf(own), version)
  if (interfaces.length === 0) {
    problems.report(
      CONVERT_NEEDED,
      '',
      `expected the option url: the definition does not say where its agent speaks A2A ${version}`,
    )
    return
  }
  putInterfaces(card, version, interfaces)
  if (given.length > 0) {
    tellAdded(card, INTERFACES, 'the option url', ledger)
    return
  }
  const said = INTERFACES.filter((name) => own?.[name] !== undefined)
  const first = version === '1.0' ? '/supportedInterfaces' : '/url'
  for (const name of said) ledger.shown(`/${OWN}/${name}`, Object.hasOwn(card, name) ? `/${name}` : first)
  if (!said.includes('supportedInterfaces') && !said.includes('preferredTransport'))
    tellAdded(card, ['preferredTransport'], `JSON-RPC, the default where ${OWN} has no transport`, ledger)
}

/** Writes the provider if it has a name and a URL, as a card requires. */
function writeProvider({ agent, ledger }: ExportJob, card: MutableObject): void {
  const organization = textOf(agent.provider, 'name')
  const url = textOf(agent.provider, 'url')
  if (organization === undefined || url === undefined) return
  card['provider'] = { organization, url }
  ledger.moved('/provider/name', '/provider/organization')
  ledger.moved('/provider/url', '/provider/url')
}

function writeModes({ agent, ledger }: ExportJob, card: MutableObject): void {
  const input = objectMember(agent.runtime, 'input_handling')
  const output = objectMember(agent.runtime, 'output_handling')
  const types = member(input?.value, 'content_types')
  card['defaultInputModes'] = isTexts(types) ? types : ['text/plain']
  if (isTexts(types)) ledger.shown('/runtime/input_handling/content_types', '/defaultInputModes')
  else ledger.added('/defaultInputModes', 'text, because the definition does not say')
  const format = textOf(output, 'format') ?? ''
  const known = Object.hasOwn(MEDIA_TYPES, format)
  card['defaultOutputModes'] = [known ? MEDIA_TYPES[format] : 'text/plain']
  if (known) ledger.shown('/runtime/output_handling/format', '/defaultOutputModes')
  else ledger.added('/defaultOutputModes', 'text, because the definition does not say')
  const streaming = member(output?.value, 'streaming')
  if (typeof streaming !== 'boolean') return
  child(card, 'capabilities')['streaming'] = streaming
  ledger.shown('/runtime/output_handling/streaming', '/capabilities/streaming')
}

function writeSkills({ agent, ledger }: ExportJob, card: MutableObject): void {
  const skills: MutableObject[] = []
  card['skills'] = skills
  const tags = elements(agent.metadata, 'tags', isText)
  const common = writeTags(tags, '/metadata/tags', agent.tools.length, ledger)
  for (const tool of agent.tools) {
    const name = textOf(tool, 'name')
    const description = textOf(tool, 'description')
    if (name === undefined || description === undefined) {
      // If it were carried, it would look like the rest of a skill that was removed since.
      if (name !== undefined && member(tool.value, 'description') === undefined)
        ledger.dropped(tool.pointer, 'a skill must have a description')
      continue
    }
    const at = `/skills/${skills.length}`
    ledger.moved(`${tool.pointer}/name`, `${at}/id`)
    ledger.moved(`${tool.pointer}/description`, `${at}/description`)
    skills.push({ id: name, name, description, ...details(tool, common, name, at, ledger) })
  }
  if (skills.length === 0) skills.push(skillOfItself(card, common, ledger))
}

/** The tags and examples of a tool, and the details of the card that the definition was made from. */
function details(
  tool: PlacedObject,
  common: readonly string[],
  name: string,
  at: string,
  ledger: ExportJob['ledger'],
): MutableObject {
  const own = objectMember(tool, OWN)
  const flags = (['read_only', 'idempotent'] as const).filter((flag) => member(tool.value, flag) === true)
  for (const flag of flags) ledger.shown(`${tool.pointer}/${flag}`, `${at}/tags`)
  const ownTags = member(own?.value, 'tags')
  const tags = new Set([
    ...(isTexts(ownTags) ? ownTags : []),
    ...flags.map((flag) => flag.replace('_', '-')),
    ...common,
  ])
  // A skill must have tags, so the words of its name become tags.
  if (tags.size === 0) for (const word of name.split('_')) if (word !== '') tags.add(word)
  const made: MutableObject = { tags: tags.size > 0 ? [...tags] : ['tool'] }
  const examples = elements(tool, 'examples', hasName)
  for (const example of examples) ledger.shown(`${example.pointer}/name`, `${at}/examples`)
  if (examples.length > 0) made['examples'] = examples.map(({ value }) => value.name)
  const title = textOf(own, 'name')
  if (title !== undefined) made['name'] = title
  return { ...made, ...textLists(own, ['examples', 'inputModes', 'outputModes']) }
}

function hasName(value: unknown): value is { readonly name: string } {
  return isObject(value) && typeof member(value, 'name') === 'string' && value['name'] !== ''
}

// Converts security.authentication into A2A schemes, and back.

/** Writes how a client authenticates; nothing if the definition does not require it. */
function writeSecurity(job: ExportJob, card: MutableObject, version: Version): void {
  const scheme = schemeOf(job)
  if (scheme === undefined) return
  const { name } = scheme
  const at = '/security/authentication'
  job.ledger.shown(`${at}/type`, `/securitySchemes/${name}`)
  const authentication = objectMember(job.agent.security, 'authentication')
  if (authentication?.value['required'] === false) {
    job.ledger.shown(`${at}/required`, `/securitySchemes/${name}`, 'as an optional scheme')
    putScheme(card, version, scheme, false)
    return
  }
  job.ledger.shown(`${at}/required`, version === '1.0' ? '/securityRequirements' : '/security')
  putScheme(card, version, scheme, true)
}

function schemeOf({ agent, options, ledger, problems }: ExportJob): Scheme | undefined {
  const authentication = objectMember(agent.security, 'authentication')
  const type = textMember(authentication, 'type')
  if (authentication === undefined || type === undefined || type.value === 'none') return undefined
  const at = authentication.pointer
  const scopes = [...new Set(elements(authentication, 'scopes', isText).map(({ value }) => value))]
  if (type.value === 'mtls') {
    return { name: 'mtls', kind: 'mtlsSecurityScheme', value: { description: 'Mutual TLS' }, scopes: [] }
  }
  if (type.value === 'api_key') {
    if (options.apiKey === undefined) {
      problems.report(
        CONVERT_AUTHENTICATION,
        type.pointer,
        'the definition does not say where the API key is sent: give the option apiKey',
      )
      return undefined
    }
    const value = { location: options.apiKey.in, name: options.apiKey.name }
    return { name: 'api_key', kind: 'apiKeySecurityScheme', value, scopes: [] }
  }
  if (type.value === 'oauth2' || type.value === 'oidc') {
    const tokenUrl = textOf(authentication, 'token_endpoint')
    const issuer = textOf(authentication, 'issuer')
    if (type.value === 'oauth2' && tokenUrl !== undefined) {
      ledger.shown(`${at}/token_endpoint`, '/securitySchemes/oauth2')
      ledger.shown(`${at}/scopes`, '/securitySchemes/oauth2')
      // SDKs omit empty strings before they verify a signature, so the scope itself replaces a missing description.
      const clientCredentials = { tokenUrl, scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])) }
      return { name: 'oauth2', kind: 'oauth2SecurityScheme', value: { flows: { clientCredentials } }, scopes }
    }
    if (type.value === 'oidc' && issuer !== undefined) {
      ledger.shown(`${at}/issuer`, '/securitySchemes/oidc')
      const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
      return { name: 'oidc', kind: 'openIdConnectSecurityScheme', value: { openIdConnectUrl }, scopes }
    }
    const lacks = type.value === 'oauth2' ? 'token_endpoint' : 'issuer'
    problems.report(
      CONVERT_AUTHENTICATION,
      type.pointer,
      `without ${lacks} a client learns only that it needs a bearer token`,
    )
    return { name: 'bearer', kind: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' }, scopes: [] }
  }
  return undefined
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Reads a scheme back into the definition. */
function readSecurity({ root, ledger }: Job, definition: MutableObject): void {
  const first = firstScheme(root)
  const read = first === undefined ? undefined : readScheme(first.scheme)
  if (first === undefined || read === undefined) return
  const authentication = child(child(definition, 'security'), 'authentication')
  Object.assign(authentication, read)
  ledger.shown(first.scheme.pointer, '/security/authentication')
  if (!first.required) return
  authentication['required'] = true
  ledger.shown(
    root.value['securityRequirements'] === undefined ? '/security' : '/securityRequirements',
    '/security/authentication/required',
  )
}

function readScheme(scheme: PlacedObject): MutableObject | undefined {
  const { kind, inner } = openScheme(scheme)
  switch (kind) {
    case 'apiKey':
      return { type: 'api_key' }
    case 'mutualTLS':
      return { type: 'mtls' }
    case 'oauth2':
      return { type: 'oauth2', ...readFlow(objectMember(inner, 'flows')?.value) }
    case 'openIdConnect': {
      const url = textOf(inner, 'openIdConnectUrl')
      return { type: 'oidc', ...(url?.endsWith(WELL_KNOWN) && { issuer: url.slice(0, -WELL_KNOWN.length) }) }
    }
    default:
      return undefined
  }
}

/** Reads the first flow with a token endpoint. */
function readFlow(flows: JsonObject | undefined): MutableObject {
  for (const name of Object.keys(flows ?? {})) {
    const flow = objectMember({ pointer: '', value: flows! }, name)
    const tokenUrl = uriOf(flow, 'tokenUrl')
    if (tokenUrl === undefined) continue
    const scopes = Object.keys(objectMember(flow, 'scopes')?.value ?? {})
    return { ...(scopes.length > 0 && { scopes }), token_endpoint: tokenUrl }
  }
  return {}
}

/** Makes a definition from an A2A card. Members of the card without a counterpart are kept in x_a2a members. */
export function fromCard(job: Job, version: Version): Product {
  const { root, ledger, options } = job
  const capabilities = objectMember(root, 'capabilities')
  const { extension, params } = extensionOf(root, EXTENSION)
  const definition = begin(job, root, params)
  if (version === '0.3') ledger.implied('/protocolVersion', 'A2A 0.3, which is clear from the format')
  const provider = objectMember(root, 'provider')
  // A provider must have a name (ADL 6.2): one without it is kept in x_a2a.
  const organization = textOf(provider, 'organization')
  if (organization !== undefined) {
    const url = uriOf(provider, 'url')
    definition['provider'] = { name: organization, ...(url !== undefined && { url }) }
    ledger.moved('/provider/organization', '/provider/name')
    if (url !== undefined) ledger.moved('/provider/url', '/provider/url')
  }
  moveCounterparts(ledger, 'adl-a2a', root, definition, { back: true })
  const carriers: [string, Carrier][] = []
  readSkills(job, definition, carriers, params)
  if (extension === undefined || params === undefined) {
    readModes(job, definition, capabilities)
    readSecurity(job, definition)
  } else {
    skipExtension(extension, 'a definition', ledger)
    restore(ledger, shownOf(ledger, params, 'tools', definition, isUndescribed), definition)
  }
  const document = finish(job, definition)
  carriers.push(['', keeper(document, '', OWN)])
  if (params !== undefined) skipDerived(job, document, version)
  return { document, baggage: foreignBaggage(options, carriers) }
}

/** A tool without a usable description is not shown as a skill, but carried whole. */
const isUndescribed = (tool: JsonObject) =>
  member(tool, 'description') !== undefined && textOf({ pointer: '', value: tool }, 'description') === undefined

function readSkills(
  { root, ledger }: Job,
  definition: MutableObject,
  carriers: [string, Carrier][],
  params: PlacedObject | undefined,
): void {
  const tools: MutableObject[] = []
  const names = new ToolNames()
  // The rest of such a tool is found by its name.
  const known = new Set(elements(params, 'tools', isObject).map(({ value }) => member(value, 'name')))
  for (const skill of elements(root, 'skills', isObject)) {
    const id = textOf(skill, 'id') ?? textOf(skill, 'name')
    if (id === undefined) continue
    if (id === ITSELF) {
      ledger.implied(skill.pointer, 'the agent itself, which had no tools')
      continue
    }
    const at = `/tools/${tools.length}`
    const tool: MutableObject = { name: known.has(id) ? id : names.nameFor(id) }
    const from = textOf(skill, 'id') === undefined ? 'name' : 'id'
    if (tool['name'] === id) ledger.moved(`${skill.pointer}/${from}`, `${at}/name`)
    else
      ledger.changed(
        `${skill.pointer}/${from}`,
        `${at}/name`,
        `${id} is not a valid tool name (ADL 8.1), or is used already`,
      )
    readDescription(skill, tool, at, ledger)
    if (from === 'id' && textOf(skill, 'name') === id)
      ledger.implied(`${skill.pointer}/name`, 'the same as the id', `${at}/name`)
    tools.push(tool)
    carriers.push([skill.pointer, keeper(tool, at, OWN)])
  }
  if (tools.length > 0) definition['tools'] = tools
}

function readDescription(skill: PlacedObject, tool: MutableObject, at: string, ledger: Ledger): void {
  const description = textOf(skill, 'description')
  if (description !== undefined) {
    tool['description'] = description
    ledger.moved(`${skill.pointer}/description`, `${at}/description`)
    return
  }
  tool['description'] = textOf(skill, 'name') ?? tool['name']
  ledger.added(`${at}/description`, 'its name, because the skill has no description')
}

function readModes({ root, ledger }: Job, definition: MutableObject, capabilities: PlacedObject | undefined): void {
  const handling = (name: string) => child(child(definition, 'runtime'), name)
  const input = member(root.value, 'defaultInputModes')
  if (isTexts(input) && input.every(isMimeType)) {
    handling('input_handling')['content_types'] = input
    ledger.moved('/defaultInputModes', '/runtime/input_handling/content_types')
  }
  const output = member(root.value, 'defaultOutputModes')
  const [format] = Object.entries(MEDIA_TYPES).find(([, type]) => equal(output, [type])) ?? []
  if (format !== undefined) {
    handling('output_handling')['format'] = format
    ledger.rewritten('/defaultOutputModes', '/runtime/output_handling/format', 'the only one')
  }
  const streaming = member(capabilities?.value, 'streaming')
  if (typeof streaming !== 'boolean') return
  handling('output_handling')['streaming'] = streaming
  ledger.moved('/capabilities/streaming', '/runtime/output_handling/streaming')
}

/** Marks members that the card derives from the definition: a new card would have the same ones. */
function skipDerived({ root, options, ledger }: Job, definition: MutableObject, version: Version): void {
  const { document } = parse(JSON.stringify(definition))
  if (document === undefined) return
  const agent = new Agent(document)
  const again = toCard(
    {
      agent,
      document,
      root: agent.root,
      options: { ...options, url: 'x:' },
      ledger: new Ledger(undefined),
      problems: new Problems(),
    },
    version,
  ).document
  const skip = (of: unknown, made: unknown, name: string, at: string) => {
    const value = isObject(of) ? member(of, name) : undefined
    if (value === undefined || !isObject(made) || !equal(value, member(made, name))) return
    ledger.implied(`${at}/${name}`, 'follows from the rest', '')
  }
  for (const name of [
    'defaultInputModes',
    'defaultOutputModes',
    'securitySchemes',
    'securityRequirements',
    'security',
  ]) {
    skip(root.value, again, name, '')
  }
  skip(member(root.value, 'capabilities'), again['capabilities'], 'streaming', '/capabilities')
  const skills = new Map((again['skills'] as MutableObject[]).map((skill) => [skill['id'], skill]))
  for (const skill of elements(root, 'skills', isObject)) {
    const made = skills.get(member(skill.value, 'id'))
    for (const name of ['tags', 'examples']) skip(skill.value, made, name, skill.pointer)
  }
}
