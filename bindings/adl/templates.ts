// Starter definitions for `blazon init` and the page. Each is complete and valid, with placeholders for what only the
// author knows.
import {
  descriptionOf,
  PROMPT as PROMPT_TEXT,
  TOOL_DESCRIPTION,
  YOUR_COMPANY,
  YOUR_HOST,
  YOUR_TEAM,
} from '../frame/placeholders.ts'
import type { PublicKeyMember } from './signature/public-key.ts'

export type TemplateName = 'minimal' | 'tools' | 'production' | 'governance' | 'portfolio' | 'healthcare' | 'financial'

type Members = Readonly<Record<string, unknown>>

interface Template {
  readonly about: string
  /** Members by name; `document` puts them into the order of section 4.1. */
  make(name: string, now: string): Members
}

const classification = (sensitivity: string, categories?: readonly string[], more: Members = {}) => ({
  data_classification: { sensitivity, ...(categories && { categories }), ...more },
})

const TOOLS = [
  {
    name: 'find_items',
    description: TOOL_DESCRIPTION,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
      required: ['query'],
    },
    returns: { type: 'array', items: { type: 'string' } },
    examples: [{ name: 'By words', input: { query: 'first second' }, output: ['item-1'] }],
    read_only: true,
    idempotent: true,
  },
  {
    name: 'change_item',
    description: TOOL_DESCRIPTION,
    parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
    requires_confirmation: true,
  },
]

const PROMPT = {
  system_prompt: {
    template: PROMPT_TEXT,
    variables: { company: YOUR_COMPANY },
  },
}

const PERMISSIONS = {
  permissions: {
    network: {
      allowed_hosts: [`api.${YOUR_HOST}`],
      allowed_ports: [443],
      allowed_protocols: ['https'],
      deny_private: true,
    },
    filesystem: {
      allowed_paths: [{ path: '/data/items/**', access: 'read' }],
      denied_paths: ['/data/items/private/**'],
    },
    environment: { allowed_variables: ['APP_*'], denied_variables: ['APP_SECRET_*'] },
    resource_limits: { max_memory_mb: 512, max_duration_sec: 300 },
  },
}

const production = (now: string): Members => ({
  id: `https://agents.${YOUR_HOST}/agents/assistant`,
  lifecycle: { status: 'active', effective_date: now },
  provider: { name: YOUR_COMPANY, url: `https://${YOUR_HOST}`, contact: `agents@${YOUR_HOST}` },
  model: { capabilities: ['function_calling'] },
  ...PROMPT,
  tools: TOOLS,
  ...PERMISSIONS,
  security: {
    authentication: {
      type: 'oauth2',
      required: true,
      scopes: ['items:read'],
      token_endpoint: `https://auth.${YOUR_HOST}/token`,
    },
    encryption: { in_transit: { required: true, min_version: 'TLS1.3' } },
  },
  runtime: {
    input_handling: { max_input_length: 32768, content_types: ['text/plain'] },
    output_handling: { format: 'markdown', max_output_length: 16384 },
    tool_invocation: {
      timeout_ms: 30000,
      retry_policy: { max_retries: 2, backoff_strategy: 'exponential', initial_delay_ms: 500, max_delay_ms: 5000 },
    },
    error_handling: { on_tool_error: 'abort' },
  },
  metadata: {
    authors: [{ name: YOUR_TEAM, email: `agents@${YOUR_HOST}` }],
    license: 'Apache-2.0',
    tags: ['assistant'],
  },
})

export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  minimal: {
    about: 'the members that must be there',
    make: () => classification('internal'),
  },
  tools: {
    about: 'tools with schemas and examples, a prompt with a variable',
    make: () => ({ ...classification('internal'), ...PROMPT, tools: TOOLS }),
  },
  production: {
    about: 'identity, permissions, security and runtime as well',
    make: (_, now) => ({
      ...classification('confidential', ['pii'], { handling: { logging_required: true } }),
      ...production(now),
    }),
  },
  governance: {
    about: 'the governance profile: framework, oversight, ownership',
    make: (_, now) => ({
      ...classification('internal'),
      profiles: ['urn:adl:profile:governance:1.0'],
      lifecycle: { status: 'active', effective_date: now },
      compliance_framework: {
        primary_framework: 'ISO_42001',
        control_mappings: [{ framework: 'ISO_42001', control_id: 'A.6.2.6', status: 'planned' }],
      },
      autonomy: {
        tier: 1,
        basis: 'Reads only; a person acts on what it finds.',
        classified_by: YOUR_TEAM,
        classified_at: now,
      },
      governance: { ownership: { owner: `agents@${YOUR_HOST}` }, audit_trail: { enabled: true, retention_days: 365 } },
    }),
  },
  portfolio: {
    about: 'the portfolio profile: where the agent belongs, and what it works with',
    make: () => ({
      ...classification('internal'),
      profiles: ['urn:adl:profile:portfolio:1.0'],
      inventory: { catalog_id: 'AGT-0001', visibility: 'internal', tags: ['assistant'] },
      relationships: { depends_on: [`https://agents.${YOUR_HOST}/agents/search`] },
    }),
  },
  healthcare: {
    about: 'the healthcare profile: HIPAA, PHI handling',
    make: () => ({
      ...classification('restricted', ['phi', 'pii'], {
        healthcare: { phi_types: ['demographics', 'medical_records'], hipaa_applicability: true },
      }),
      profiles: ['urn:adl:profile:healthcare:1.0'],
      hipaa_compliance: {
        covered_entity_type: 'business_associate',
        baa_required: true,
        minimum_necessary: { scope: 'task_specific' },
        security_rule: { encryption_at_rest: 'AES_256', encryption_in_transit: 'TLS_1_3', mfa_required: true },
      },
      phi_handling: {
        de_identification: { method: 'safe_harbor', re_identification_controls: true },
        breach_notification: { notification_hours: 24, contact: `privacy@${YOUR_HOST}` },
      },
    }),
  },
  financial: {
    about: 'the financial profile: data, limits, regulation',
    make: () => ({
      ...classification('confidential', ['financial'], {
        financial: { data_types: ['transaction_data'], pci_applicable: false },
      }),
      profiles: ['urn:adl:profile:financial:1.0'],
      financial_data_handling: {
        pci_scope: { in_scope: false },
        data_residency: [{ jurisdiction: 'EU', regulation: 'GDPR' }],
      },
      transaction_controls: {
        transaction_limits: { max_single_amount: 10000, currency: 'EUR' },
        kill_switch: { enabled: true, trigger_conditions: ['error_rate'], notification_targets: [`risk@${YOUR_HOST}`] },
      },
      regulatory_scope: {
        applicable_regulations: ['DORA'],
        record_retention: { min_retention_days: 1825, tamper_proof: true },
      },
    }),
  },
}

const ORDER = [
  'id',
  'provider',
  'cryptographic_identity',
  'lifecycle',
  'data_classification',
  'profiles',
  'model',
  'system_prompt',
  'tools',
  'permissions',
  'security',
  'runtime',
  'metadata',
]

export interface DefinitionOptions {
  readonly now: Date
  /** The agent's signing key, written into the definition so that verifiers find it. */
  readonly publicKey?: PublicKeyMember | undefined
  /** Defaults to a placeholder. */
  readonly description?: string | undefined
}

/** A new definition. Members of profiles come last. */
export function newDefinition(
  template: TemplateName,
  name: string,
  { now, publicKey, description }: DefinitionOptions,
): Members {
  const made: Members = {
    ...TEMPLATES[template].make(name, `${now.toISOString().slice(0, 19)}Z`),
    ...(publicKey && { cryptographic_identity: { public_key: publicKey } }),
  }
  const rest = Object.keys(made).filter((member) => !ORDER.includes(member))
  const members = [...ORDER.filter((member) => Object.hasOwn(made, member)), ...rest]
  return {
    $schema: 'https://adl-spec.org/0.1/schema.json',
    adl_spec: '0.1.0',
    name,
    description: description ?? descriptionOf(name),
    version: '0.1.0',
    ...Object.fromEntries(members.map((member) => [member, made[member]])),
  }
}
