// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'SRV-101' | 'SRV-102' | 'SRV-103' | 'SRV-104' | 'SRV-105' | 'SRV-106' | 'SRV-107' | 'SRV-110' | 'SRV-111' | 'SRV-112' | 'SRV-113' | 'SRV-114' | 'SRV-115' | 'SRV-120' | 'SRV-121' | 'SRV-122' | 'SRV-123' | 'SRV-124' | 'SRV-130' | 'SRV-131' | 'SRV-149'

const T0 = 'server.json 2025-12-11'
const T1 = 'warning'
const T2 = 'MCP SEP-2127'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'SRV-101', 'Server description that is no JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'SRV-102', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'SRV-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'SRV-104', 'Empty value', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'SRV-105', 'Value that is not known', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'SRV-106', 'Value of another form', T0)
export const VALUE_LENGTH = /* @__PURE__ */ finding('value-length', 'SRV-107', 'Value that is too long', T0)
export const CARD_SCHEMA = /* @__PURE__ */ finding('card-schema', 'SRV-110', 'Server card of no known version', T2)
export const SERVER_SCHEMA = /* @__PURE__ */ finding('server-schema', 'SRV-111', 'Schema that is none of server.json', T0, T1, { spec: 'info' })
export const VERSION_RANGE = /* @__PURE__ */ finding('version-range', 'SRV-112', 'Version that is none', T0)
export const ICON_TYPE = /* @__PURE__ */ finding('icon-type', 'SRV-113', 'Icon that the registry refuses', T0)
export const SCRIPT_URL = /* @__PURE__ */ finding('script-url', 'SRV-114', 'Address that is run or read where it is opened', T0)
export const UNREACHABLE = /* @__PURE__ */ finding('unreachable', 'SRV-115', 'Server that nobody can reach', T0, 'info', { spec: 'off' })
export const TRANSPORT_URL = /* @__PURE__ */ finding('transport-url', 'SRV-120', 'Transport without an address', T0)
export const UNDECLARED_VARIABLE = /* @__PURE__ */ finding('undeclared-variable', 'SRV-121', 'Variable that is not declared', T0, T1)
export const PLAIN_HTTP = /* @__PURE__ */ finding('plain-http', 'SRV-122', 'Address without TLS', T0, T1, { strict: 'error', security: 'error' })
export const REPEATED_PACKAGE = /* @__PURE__ */ finding('repeated-package', 'SRV-123', 'Package that is there twice', T0, T1)
export const CARD_PACKAGES = /* @__PURE__ */ finding('card-packages', 'SRV-124', 'Packages in a server card', T2, T1)
export const ARGUMENT_FORM = /* @__PURE__ */ finding('argument-form', 'SRV-130', 'Argument that says too little', T0)
export const SECRET_VALUE = /* @__PURE__ */ finding('secret-value', 'SRV-131', 'Secret that is no secret', T0, T1, { security: 'error' })
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'SRV-149', 'Text of the template', T0, T1, { spec: 'off', strict: 'error' })

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, VALUE_PATTERN, VALUE_LENGTH, CARD_SCHEMA, SERVER_SCHEMA, VERSION_RANGE, ICON_TYPE, SCRIPT_URL, UNREACHABLE, TRANSPORT_URL, UNDECLARED_VARIABLE, PLAIN_HTTP, REPEATED_PACKAGE, CARD_PACKAGES, ARGUMENT_FORM, SECRET_VALUE, PLACEHOLDER]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A server is described by one JSON object: nothing else has members to read.', bad: '[]', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}' },
  { ...MISSING_MEMBER, why: 'The registry refuses a description without it, and clients have nothing to show or to install.', bad: '{"name": "com.example/weather", "version": "1.0.0"}', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}' },
  { ...MEMBER_TYPE, why: 'A value of another type is refused by the registry, and ignored by some clients.', bad: '{"version": 1.0}', good: '{"version": "1.0.0"}' },
  { ...EMPTY_VALUE, why: 'The member is there to say something; empty it says nothing.', bad: '{"description": ""}', good: '{"description": "Tells the weather."}' },
  { ...ENUM_VALUE, why: 'Clients know these values and no others: a server behind another transport is reached by none. What is remote has no stdio.', bad: '{"remotes": [{"type": "stdio", "url": "https://weather.example.com/mcp"}]}', good: '{"remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...VALUE_PATTERN, why: 'Names are a reversed domain, which shows who publishes, a slash and a name; hashes and addresses have forms of their own.', bad: '{"name": "weather"}', good: '{"name": "com.example/weather"}' },
  { ...VALUE_LENGTH, why: 'The registry refuses it, and clients show a line and not a page.', bad: '{"title": "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"}', good: '{"title": "Weather"}' },
  { ...CARD_SCHEMA, why: 'The address of the schema is the version of a server card, and only the first is there.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v9/server-card.schema.json"}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"}' },
  { ...SERVER_SCHEMA, why: 'The registry and its tools tell by this address of which version a server.json is, and refuse those of none.', bad: '{"$schema": "https://example.com/server.schema.json"}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"}' },
  { ...VERSION_RANGE, why: 'A description is of one version, so that what was looked at is what gets installed: a range, or latest, is another one tomorrow.', bad: '{"version": "^1.2.0"}', good: '{"version": "1.2.0"}' },
  { ...ICON_TYPE, why: 'Clients show these types of pictures. A server card may have others.', bad: '{"icons": [{"src": "https://example.com/icon.gif", "mimeType": "image/gif"}]}', good: '{"icons": [{"src": "https://example.com/icon.png", "mimeType": "image/png"}]}' },
  { ...SCRIPT_URL, why: 'A page that shows it as a link, or as a picture, runs code of whoever wrote the description, or reads its own files for him.', bad: '{"websiteUrl": "javascript:alert(1)"}', good: '{"websiteUrl": "https://example.com/weather"}' },
  { ...UNREACHABLE, why: 'There is no package to install and no address to connect to: the description is of no use to clients.', bad: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0", "remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...TRANSPORT_URL, why: 'Over HTTP a client connects to an address, also when the package runs on its own machine.', bad: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "streamable-http"}}]}', good: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "streamable-http", "url": "http://localhost:8080/mcp"}}]}' },
  { ...UNDECLARED_VARIABLE, why: 'A client puts values in the place of variables: for one that is declared nowhere it has none, and connects to no address.', bad: '{"remotes": [{"type": "sse", "url": "https://{tenant}.example.com/sse"}]}', good: '{"remotes": [{"type": "sse", "url": "https://{tenant}.example.com/sse", "variables": {"tenant": {"isRequired": true}}}]}' },
  { ...PLAIN_HTTP, why: 'Everybody on the way reads and changes what goes over plain HTTP: the tools that a model is offered, and what it sends to them.', bad: '{"remotes": [{"type": "streamable-http", "url": "http://weather.example.com/mcp"}]}', good: '{"remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...REPEATED_PACKAGE, why: 'Clients offer it twice, or take one of the two without a reason.', bad: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}, {"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}]}', good: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}]}' },
  { ...CARD_PACKAGES, why: 'A server card is of a server that is reached at an address; what is to be installed stands in a server.json of the registry.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "packages": []}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "remotes": []}' },
  { ...ARGUMENT_FORM, why: 'A named argument is written by its name; of a positional one clients know by its value, or by the hint, what to ask for.', bad: '{"packages": [{"packageArguments": [{"type": "positional"}]}]}', good: '{"packages": [{"packageArguments": [{"type": "positional", "valueHint": "city"}]}]}' },
  { ...SECRET_VALUE, why: 'Everybody reads the description: a secret with a value in it is known to all. Users give theirs, and variables take it.', bad: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "value": "0123456789"}]}]}', good: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "isRequired": true}]}]}' },
  { ...PLACEHOLDER, why: 'The registry would publish a server of nobody, at an address that is none.', bad: '{"name": "example.your-company/weather"}', good: '{"name": "com.example/weather"}' },
]
