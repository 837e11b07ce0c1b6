// What verifying traces finds.
import type { RuleInfo } from '../../frame/rule.ts'

export const recordersWord: RuleInfo = {
  id: 'trace-recorder',
  code: 'WK-181',
  title: 'The recorder’s word',
  section: 'docs/guide/discovery.md',
  severity: 'warning',
  why: 'Signatures of the DNS and of the metadata can be checked by anybody. That a server answered so, over which TLS and when, only the recorder says.',
  bad: 'a trace from somebody who gains by it',
  good: 'a trace that was recorded here',
}

export const unusableTrace: RuleInfo = {
  id: 'trace-unusable',
  code: 'WK-182',
  title: 'Trace that cannot be judged',
  section: 'docs/guide/discovery.md',
  severity: 'error',
  why: 'It has errors, and what is guessed proves nothing: blazon validate lists them.',
  bad: '{"trace": "blazon/discovery/1"}',
  good: 'a trace as discover writes it',
}

export const otherTraceAgent: RuleInfo = {
  id: 'trace-other-agent',
  code: 'WK-183',
  title: 'Another agent',
  section: 'docs/guide/discovery.md',
  severity: 'error',
  why: 'The trace is of another agent, or shows another key, than what was expected.',
  bad: 'asked for agent:alice.example.com, found a trace of agent:bank.example',
  good: 'the agent that was asked for',
}

export const TRACE_FINDINGS: readonly RuleInfo[] = [recordersWord, unusableTrace, otherTraceAgent]
