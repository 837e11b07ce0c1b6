// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'SRV-101' | 'SRV-102' | 'SRV-103' | 'SRV-104' | 'SRV-105' | 'SRV-106' | 'SRV-107' | 'SRV-110' | 'SRV-111' | 'SRV-112' | 'SRV-113' | 'SRV-114' | 'SRV-115' | 'SRV-120' | 'SRV-121' | 'SRV-122' | 'SRV-123' | 'SRV-124' | 'SRV-130' | 'SRV-131' | 'SRV-132' | 'SRV-149'

const T0 = 'server.json 2025-12-11'
const T1 = 'warning'
const T2 = 'MCP SEP-2127'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'SRV-101', 'Server description is not a JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'SRV-102', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'SRV-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'SRV-104', 'Empty value', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'SRV-105', 'Unknown value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'SRV-106', 'Malformed value', T0)
export const VALUE_LENGTH = /* @__PURE__ */ finding('value-length', 'SRV-107', 'Value too long', T0)
export const CARD_SCHEMA = /* @__PURE__ */ finding('card-schema', 'SRV-110', 'Unknown version of a server card', T2)
export const SERVER_SCHEMA = /* @__PURE__ */ finding('server-schema', 'SRV-111', 'Not a schema of server.json', T0, T1, { spec: 'info' })
export const VERSION_RANGE = /* @__PURE__ */ finding('version-range', 'SRV-112', 'Version range instead of a version', T0)
export const ICON_TYPE = /* @__PURE__ */ finding('icon-type', 'SRV-113', 'Icon that the registry refuses', T0)
export const SCRIPT_URL = /* @__PURE__ */ finding('script-url', 'SRV-114', 'Address that runs or reads something when it is opened', T0)
export const UNREACHABLE = /* @__PURE__ */ finding('unreachable', 'SRV-115', 'Unreachable server', T0, 'info', { spec: 'off' })
export const TRANSPORT_URL = /* @__PURE__ */ finding('transport-url', 'SRV-120', 'Transport without an address', T0)
export const UNDECLARED_VARIABLE = /* @__PURE__ */ finding('undeclared-variable', 'SRV-121', 'Undeclared variable', T0, T1)
export const PLAIN_HTTP = /* @__PURE__ */ finding('plain-http', 'SRV-122', 'Address without TLS', T0, T1, { strict: 'error', security: 'error' })
export const REPEATED_PACKAGE = /* @__PURE__ */ finding('repeated-package', 'SRV-123', 'Duplicate package', T0, T1)
export const CARD_PACKAGES = /* @__PURE__ */ finding('card-packages', 'SRV-124', 'Packages in a server card', T2, T1)
export const ARGUMENT_FORM = /* @__PURE__ */ finding('argument-form', 'SRV-130', 'Incomplete argument', T0)
export const SECRET_VALUE = /* @__PURE__ */ finding('secret-value', 'SRV-131', 'Secret with a value', T0, T1, { security: 'error' })
export const MISSPELLED_MEMBER = /* @__PURE__ */ finding('misspelled-member', 'SRV-132', 'Misspelled member', T0, T1)
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'SRV-149', 'Placeholder of the template', T0, T1, { spec: 'off', strict: 'error' })

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, VALUE_PATTERN, VALUE_LENGTH, CARD_SCHEMA, SERVER_SCHEMA, VERSION_RANGE, ICON_TYPE, SCRIPT_URL, UNREACHABLE, TRANSPORT_URL, UNDECLARED_VARIABLE, PLAIN_HTTP, REPEATED_PACKAGE, CARD_PACKAGES, ARGUMENT_FORM, SECRET_VALUE, MISSPELLED_MEMBER, PLACEHOLDER]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A server is described by one JSON object. Anything else has no members to read.', bad: '[]', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}' },
  { ...MISSING_MEMBER, why: 'The registry refuses a description without it, and clients have nothing to show or install.', bad: '{"name": "com.example/weather", "version": "1.0.0"}', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}' },
  { ...MEMBER_TYPE, why: 'The registry refuses a value of another type, and some clients ignore it.', bad: '{"version": 1.0}', good: '{"version": "1.0.0"}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"description": ""}', good: '{"description": "Tells the weather."}' },
  { ...ENUM_VALUE, why: 'Clients support only the listed values, so nobody reaches a server over another transport. Remote servers do not support stdio.', bad: '{"remotes": [{"type": "stdio", "url": "https://weather.example.com/mcp"}]}', good: '{"remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...VALUE_PATTERN, why: 'A name is a reversed domain, which shows the publisher, a slash and a name. Hashes and addresses have their own forms.', bad: '{"name": "weather"}', good: '{"name": "com.example/weather"}' },
  { ...VALUE_LENGTH, why: 'The registry refuses it, and clients show one line.', bad: '{"title": "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"}', good: '{"title": "Weather"}' },
  { ...CARD_SCHEMA, why: 'The schema\'s address states the version of a server card, and only the first version exists.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v9/server-card.schema.json"}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"}' },
  { ...SERVER_SCHEMA, why: 'The registry and its tools read the version of server.json from this address, and refuse unknown ones.', bad: '{"$schema": "https://example.com/server.schema.json"}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"}' },
  { ...VERSION_RANGE, why: 'A description has one version, so that users install what was reviewed. A range, or latest, changes over time.', bad: '{"version": "^1.2.0"}', good: '{"version": "1.2.0"}' },
  { ...ICON_TYPE, why: 'Clients show only these image types. Server cards may have others.', bad: '{"icons": [{"src": "https://example.com/icon.gif", "mimeType": "image/gif"}]}', good: '{"icons": [{"src": "https://example.com/icon.png", "mimeType": "image/png"}]}' },
  { ...SCRIPT_URL, why: 'A page that shows the address as a link or a picture would run code of the description\'s author, or read local files.', bad: '{"websiteUrl": "javascript:alert(1)"}', good: '{"websiteUrl": "https://example.com/weather"}' },
  { ...UNREACHABLE, why: 'There is neither a package to install nor an address to connect to, so clients cannot use the description.', bad: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}', good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0", "remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...TRANSPORT_URL, why: 'Over HTTP, clients connect to an address, even if the package runs on the same machine.', bad: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "streamable-http"}}]}', good: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "streamable-http", "url": "http://localhost:8080/mcp"}}]}' },
  { ...UNDECLARED_VARIABLE, why: 'Clients replace variables with values. They have no value for an undeclared variable, and cannot connect.', bad: '{"remotes": [{"type": "sse", "url": "https://{tenant}.example.com/sse"}]}', good: '{"remotes": [{"type": "sse", "url": "https://{tenant}.example.com/sse", "variables": {"tenant": {"isRequired": true}}}]}' },
  { ...PLAIN_HTTP, why: 'Anyone on the network can read and change plain HTTP, such as the tools offered to a model and its requests.', bad: '{"remotes": [{"type": "streamable-http", "url": "http://weather.example.com/mcp"}]}', good: '{"remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}' },
  { ...REPEATED_PACKAGE, why: 'Clients offer the package twice, or choose one of the two arbitrarily.', bad: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}, {"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}]}', good: '{"packages": [{"registryType": "npm", "identifier": "weather", "transport": {"type": "stdio"}}]}' },
  { ...CARD_PACKAGES, why: 'A server card describes a server at an address. Packages to install belong in a server.json of the registry.', bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "packages": []}', good: '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "remotes": []}' },
  { ...ARGUMENT_FORM, why: 'A named argument needs its name. A positional one needs a value or a hint, so that clients know what to ask for.', bad: '{"packages": [{"packageArguments": [{"type": "positional"}]}]}', good: '{"packages": [{"packageArguments": [{"type": "positional", "valueHint": "city"}]}]}' },
  { ...SECRET_VALUE, why: 'Everyone reads the description, so a value in it is not secret. Users enter their secrets, and variables hold them.', bad: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "value": "0123456789"}]}]}', good: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "isRequired": true}]}]}' },
  { ...MISSPELLED_MEMBER, why: 'Clients ignore a member that they do not know, so the description does not say what its author meant.', bad: '{"websiteURL": "https://example.com/weather"}', good: '{"websiteUrl": "https://example.com/weather"}' },
  { ...PLACEHOLDER, why: 'The registry would publish a server that does not exist, at an invalid address.', bad: '{"name": "example.your-company/weather"}', good: '{"name": "com.example/weather"}' },
]
