import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { read } from '../../bindings/document/read.ts'
import { detectKind } from '../../bindings/index.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { SUITES } from '../support/suites.ts'

const kindOf = (source: string) => detectKind(read(source).document!)

describe('detectKind', () => {
  test.each<[Kind | undefined, string]>([
    ['adl', '{"adl_spec": "0.1.0", "name": "x"}'],
    ['adl', 'adl_spec: 9\nagents: [{adl_document: x}]'],
    ['adl-discovery', '{"adl_discovery": "1.0", "agents": []}'],
    ['adl-discovery', '{"agents": [7, {"adl_document": "https://example.com/a"}]}'],
    ['verdict', '{"version": "pvs-1", "decision": "allow"}'],
    ['verdict', '{"decision": "deny", "policy_violations": [], "confidence_score": 1}'],
    ['run', '{"version": "adp-1", "run_id": "r"}'],
    ['run', '{"run_id": "r", "steps": []}'],
    ['invite', '{"protocol": "ADP/1.1", "invite": {"code": "x"}}'],
    ['wellknown', '{"protocol": "ADP/1.1", "identity": {}}'],
    ['a2a', '{"name": "x", "supportedInterfaces": []}'],
    ['a2a', '{"protocolVersion": "0.3.0", "skills": [], "url": "https://example.com"}'],
    ['mcp-server', '{"name": "com.example/x", "version": "1.0.0", "remotes": []}'],
    ['mcp-server', '{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"}'],
    ['ai-catalog', '{"specVersion": "1.0", "entries": []}'],
    ['claude-settings', '{"permissions": {"deny": ["Bash(rm *)"]}}'],
    ['claude-settings', '{"hooks": {"Stop": []}}'],
    [undefined, '{"permissions": {"network": {}}}'],
    ['lock', 'version: "1"\nresolved_at: "2025-01-29T10:30:00Z"\ntools: {}'],
    ['prompt', 'version: 2\nrole: user\nsections:\n  - name: a'],
    ['events', 'events:\n  - type: agent.think'],
    ['card', '{"id": "AGENT:scout", "name": "Scout"}'],
    ['card', '{"id": "https://example.com/scout", "name": "Scout", "skills": []}'],
    ['card', '{"id": "agent://translator-zh-en", "version": "1.2.0", "name": "x", "tools": []}'],
    ['agentlang', 'name: research-assistant\nversion: 1.0.0\nmodels: {}'],
    [undefined, '{"name": "x"}'],
    [undefined, '[{"adl_spec": "0.1.0"}]'],
    [undefined, 'adl_spec'],
    [undefined, 'null'],
    [undefined, '{"__proto__": {"adl_spec": "0.1.0"}}'],
  ])('%s: %s', (kind, source) => {
    expect(kindOf(source)).toBe(kind)
  })

  const data = `${SUITES}/../data`
  test.runIf(existsSync(data))('detects the kind of published documents', () => {
    const examples = `${data}/adl/examples`
    let found = 0
    for (const file of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(json|ya?ml)$/.test(file)) continue
      const { document } = read(readFileSync(`${examples}/${file}`), { file })
      expect(detectKind(document!), file).toBe('adl')
      found++
    }
    expect(found).toBeGreaterThan(2)
    expect(kindOf(readFileSync(`${data}/interop/ai-catalog-example.json`, 'utf8'))).toBe('ai-catalog')
    expect(kindOf(readFileSync(`${data}/runs/acl/adp-sample-run.json`, 'utf8'))).toBe('run')
  })
})
