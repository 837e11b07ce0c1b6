import { placeholderRule } from '../../frame/placeholders.ts'
import type { Agent } from '../agent.ts'
import { PLACEHOLDER } from '../findings.ts'

export const placeholder = placeholderRule<Agent>(PLACEHOLDER, [
  [['description'], 'what the agent does, for whom, and what it does not do'],
  [['id'], 'the address at which the definition will be found'],
  [['provider', 'name'], 'who is behind the agent'],
  [['provider', 'url'], 'the address of who is behind it'],
  [['provider', 'contact'], 'an address that reaches a team'],
  [['system_prompt', 'template'], 'the instructions for the agent'],
  [['system_prompt', 'variables', 'company'], 'who is behind the agent'],
  [['tools', '*', 'description'], 'what the tool does'],
  [['permissions', 'network', 'allowed_hosts', '*'], 'a host that the agent needs, or nothing'],
  [['security', 'authentication', 'token_endpoint'], 'the address that gives tokens'],
  [['metadata', 'authors', '*', 'name'], 'who wrote it'],
  [['metadata', 'authors', '*', 'email'], 'an address that reaches them'],
  [['autonomy', 'classified_by'], 'who decided on the tier'],
  [['governance', 'ownership', 'owner'], 'who answers for the agent'],
  [['relationships', 'depends_on', '*'], 'the id of an agent that it needs, or nothing'],
  [['phi_handling', 'breach_notification', 'contact'], 'an address that reaches who is in charge of privacy'],
  [['transaction_controls', 'kill_switch', 'notification_targets', '*'], 'an address that reaches who can stop it'],
])
