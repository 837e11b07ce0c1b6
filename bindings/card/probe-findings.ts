import type { RuleInfo } from '../frame/rule.ts'

export const absentTool: RuleInfo = {
  id: 'probe-absent-tool',
  code: 'CARD-178',
  title: 'Tool that is claimed and not there',
  section: 'Agent Card 7.4',
  severity: 'warning',
  why: 'A card can claim anything. What the endpoint itself does not offer, no caller can invoke there.',
  bad: '{"tools": [{"name": "translate"}, {"name": "sing"}], "endpoints": [{"protocol": "http+json", "uri": "https://offers.translate.example"}]}',
  good: '{"tools": [{"name": "translate"}], "endpoints": [{"protocol": "http+json", "uri": "https://offers.translate.example"}]}',
}

export const silentEndpoint: RuleInfo = {
  id: 'probe-silent-endpoint',
  code: 'CARD-179',
  title: 'Endpoint that does not say what it offers',
  section: 'Agent Card 7.4',
  severity: 'info',
  why: 'It answered neither tools/list of MCP nor with an A2A card, or not at all: nothing shows that its tools are there.',
  bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://nobody.example/v1"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://mcp.example/mcp"}]}',
}

export const CARD_PROBE_FINDINGS: readonly RuleInfo[] = [absentTool, silentEndpoint]
