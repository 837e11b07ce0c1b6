// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-220' | 'AL-221' | 'AL-222' | 'AL-223' | 'AL-224' | 'AL-225' | 'AL-226' | 'AL-227' | 'AL-228' | 'AL-229' | 'AL-230' | 'AL-231' | 'AL-232'

const T0 = 'AgentLang, HTTP Tools'
const T1 = 'AgentLang, Dual-Path Action Routing'
const T2 = 'AgentLang, Static Orchestration'
export const TEMPLATE_TAG = /* @__PURE__ */ finding('template-tag', 'AL-220', 'Malformed template', T0)
export const TEMPLATE_NAME = /* @__PURE__ */ finding('template-name', 'AL-221', 'Template with an unknown name', T0)
export const BASH_COMMAND = /* @__PURE__ */ finding('bash-command', 'AL-222', 'Command that needs a shell', 'AgentLang, Bash Tools')
export const ACTION_BOTH = /* @__PURE__ */ finding('action-both', 'AL-223', 'Action with two declarations', T1)
export const ACTION_TOOL = /* @__PURE__ */ finding('action-tool', 'AL-224', 'Action with an unknown tool', T1)
export const DELEGATE_CYCLE = /* @__PURE__ */ finding('delegate-cycle', 'AL-225', 'Agents that wait for each other', T2)
export const DELEGATE_UNKNOWN = /* @__PURE__ */ finding('delegate-unknown', 'AL-226', 'Dependency on an unknown agent', T2)
export const DELEGATE_NAME = /* @__PURE__ */ finding('delegate-name', 'AL-227', 'Two agents with one name', T2)
export const DELEGATE_MODES = /* @__PURE__ */ finding('delegate-modes', 'AL-228', 'Two ways to delegate', 'AgentLang, Multi-Agent Orchestration')
export const DELEGATE_SIZE = /* @__PURE__ */ finding('delegate-size', 'AL-229', 'Too many agents', T2)
export const BUDGET_PRICE = /* @__PURE__ */ finding('budget-price', 'AL-230', 'Budget that cannot be kept', 'AgentLang, Budget')
export const TOOL_TABLES = /* @__PURE__ */ finding('tool-tables', 'AL-231', 'Tables that cannot be created', 'AgentLang, Agent Definition')
export const HTTP_ENDPOINT = /* @__PURE__ */ finding('http-endpoint', 'AL-232', 'Endpoint that cannot be called', T0)

export const ALL: readonly FindingKind[] = [TEMPLATE_TAG, TEMPLATE_NAME, BASH_COMMAND, ACTION_BOTH, ACTION_TOOL, DELEGATE_CYCLE, DELEGATE_UNKNOWN, DELEGATE_NAME, DELEGATE_MODES, DELEGATE_SIZE, BUDGET_PRICE, TOOL_TABLES, HTTP_ENDPOINT]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TEMPLATE_TAG, why: 'A template with a malformed tag, or with a condition that is not closed, cannot be rendered. The call that needs it would fail.', bad: 'body_template: \'{"text": "{{text"}\'', good: 'body_template: \'{"text": "{{text}}"}\'' },
  { ...TEMPLATE_NAME, why: 'A template knows the parameters of its tool, or the environment, or the response. Any other name never has a value, so the call would fail.', bad: '{"params": {"text": {"type": "string"}}, "body_template": "{\\"text\\": \\"{{txet}}\\"}"}', good: '{"params": {"text": {"type": "string"}}, "body_template": "{\\"text\\": \\"{{text}}\\"}"}' },
  { ...BASH_COMMAND, why: 'A command is started without a shell, so that arguments of a model cannot add other commands. It is a program with fixed words.', bad: 'command: "cat notes.txt | wc"', good: 'command: "wc -l"' },
  { ...ACTION_BOTH, why: 'An action is either called at once or given to the model. With both, nobody knows what a click does.', bad: '{"sync_actions": {"archive": {"tool": "mail"}}, "agent_actions": {"archive": {}}}', good: '{"sync_actions": {"archive": {"tool": "mail"}}, "agent_actions": {"reply": {}}}' },
  { ...ACTION_TOOL, why: 'A click calls the tool at once, so the agent must have it. Tools that begin with system:// belong to the host.', bad: '{"tools": [{"name": "mail"}], "ui_components": {"card": {"sync_actions": {"archive": {"tool": "mial"}}}}}', good: '{"tools": [{"name": "mail"}], "ui_components": {"card": {"sync_actions": {"archive": {"tool": "mail"}}}}}' },
  { ...DELEGATE_CYCLE, why: 'An agent starts when those in its depends_on have ended. In a circle none of them ever starts.', bad: '[{"path": "./a.yaml", "depends_on": ["b"]}, {"path": "./b.yaml", "depends_on": ["a"]}]', good: '[{"path": "./a.yaml"}, {"path": "./b.yaml", "depends_on": ["a"]}]' },
  { ...DELEGATE_UNKNOWN, why: 'depends_on has names of agents of the same list. A name is that of the agent, or else that of its file.', bad: '[{"path": "./a.yaml", "depends_on": ["researcher"]}]', good: '[{"path": "./researcher.yaml"}, {"path": "./a.yaml", "depends_on": ["researcher"]}]' },
  { ...DELEGATE_NAME, why: 'Dependencies and events refer to agents by their names. With two of one name, nobody knows which one is meant.', bad: '[{"path": "./a.yaml"}, {"path": "./other/a.yaml"}]', good: '[{"path": "./a.yaml"}, {"path": "./other/b.yaml"}]' },
  { ...DELEGATE_MODES, why: 'In the dynamic mode the model chooses specialists, in the static mode a list fixes them. An agent has one of them.', bad: '{"tools": [{"name": "delegate", "config": {"mode": "dynamic"}}], "delegate": {"mode": "static", "agents": []}}', good: '{"tools": [{"name": "delegate", "config": {"mode": "dynamic"}}]}' },
  { ...DELEGATE_SIZE, why: 'A list of more than 1,000 agents, or of 10,000 dependencies, is refused as a whole.', bad: 'a list of 1,001 agents', good: 'two agents, each with a part of the list' },
  { ...BUDGET_PRICE, why: 'Costs are counted with the declared prices. A cap without prices would never stop the agent.', bad: '{"max_cost_usd": 2}', good: '{"max_cost_usd": 2, "input_1m_price": 3, "output_1m_price": 15}' },
  { ...TOOL_TABLES, why: 'The host creates the tables of sqlite and storage before the agent starts. With a faulty column it creates none.', bad: '{"tools": [{"name": "sqlite", "config": {"tables": {"t": {"columns": {"id": {"type": "number"}}}}}}]}', good: '{"tools": [{"name": "sqlite", "config": {"tables": {"t": {"columns": {"id": {"type": "integer"}}}}}}]}' },
  { ...HTTP_ENDPOINT, why: 'An endpoint is an HTTP URL, or a path at the host. Parameters stand in it as {name}. Any other form fails at each call.', bad: '{"http_tools": {"post": {"endpoint": "ftp://a.example/"}}}', good: '{"http_tools": {"post": {"endpoint": "/api/v1/tweets"}}}' },
]
