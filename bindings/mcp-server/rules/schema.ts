// The texts of the rules that schema.json checks.
import type { RuleInfo } from '../../frame/rule.ts'

/** The version of server.json that these rules cover. */
export const SERVER_JSON = 'server.json 2025-12-11'
export const SERVER_CARD = 'MCP SEP-2127'

const row = (info: Omit<RuleInfo, 'severity' | 'section'>): RuleInfo => ({
  ...info,
  section: SERVER_JSON,
  severity: 'error',
})

export const rootObject: RuleInfo = row({
  id: 'root-object',
  code: 'SRV-101',
  title: 'Server description that is no JSON object',
  why: 'A server is described by one JSON object: nothing else has members to read.',
  bad: '[]',
  good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}',
})

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map(
  [
    row({
      id: 'missing-member',
      code: 'SRV-102',
      title: 'Missing required member',
      why: 'The registry refuses a description without it, and clients have nothing to show or to install.',
      bad: '{"name": "com.example/weather", "version": "1.0.0"}',
      good: '{"name": "com.example/weather", "description": "Tells the weather.", "version": "1.0.0"}',
    }),
    row({
      id: 'member-type',
      code: 'SRV-103',
      title: 'Invalid member type',
      why: 'A value of another type is refused by the registry, and ignored by some clients.',
      bad: '{"version": 1.0}',
      good: '{"version": "1.0.0"}',
    }),
    row({
      id: 'empty-value',
      code: 'SRV-104',
      title: 'Empty value',
      why: 'The member is there to say something; empty it says nothing.',
      bad: '{"description": ""}',
      good: '{"description": "Tells the weather."}',
    }),
    row({
      id: 'enum-value',
      code: 'SRV-105',
      title: 'Value that is not known',
      why: 'Clients know these values and no others: a server behind another transport is reached by none. What is remote has no stdio.',
      bad: '{"remotes": [{"type": "stdio", "url": "https://weather.example.com/mcp"}]}',
      good: '{"remotes": [{"type": "streamable-http", "url": "https://weather.example.com/mcp"}]}',
    }),
    row({
      id: 'value-pattern',
      code: 'SRV-106',
      title: 'Value of another form',
      why: 'Names are a reversed domain, which shows who publishes, a slash and a name; hashes and addresses have forms of their own.',
      bad: '{"name": "weather"}',
      good: '{"name": "com.example/weather"}',
    }),
  ].map((rule) => [rule.id, rule]),
)
