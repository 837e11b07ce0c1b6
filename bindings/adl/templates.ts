// Definitions to begin with, of `blazon init` and the page: each is whole and valid, and meant to be changed.

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
    name: 'search_documents',
    description: 'Finds documents that hold all given words.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
      required: ['query'],
    },
    returns: { type: 'array', items: { type: 'string' } },
    examples: [{ name: 'By topic', input: { query: 'travel policy' }, output: ['travel-policy.md'] }],
    read_only: true,
    idempotent: true,
  },
  {
    name: 'send_summary',
    description: 'Sends a summary to the person who asked for it.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    requires_confirmation: true,
  },
]

const PROMPT = {
  system_prompt: {
    template: 'You work for {{company}}. Answer in short sentences, and name the documents that you rely on.',
    variables: { company: 'Example Ltd' },
  },
}

const PERMISSIONS = {
  permissions: {
    network: {
      allowed_hosts: ['api.example.com'],
      allowed_ports: [443],
      allowed_protocols: ['https'],
      deny_private: true,
    },
    filesystem: {
      allowed_paths: [{ path: '/data/documents/**', access: 'read' }],
      denied_paths: ['/data/documents/private/**'],
    },
    environment: { allowed_variables: ['APP_*'], denied_variables: ['APP_SECRET_*'] },
    resource_limits: { max_memory_mb: 512, max_duration_sec: 300 },
  },
}

const production = (now: string): Members => ({
  id: 'https://agents.example.com/agents/assistant',
  lifecycle: { status: 'active', effective_date: now },
  provider: { name: 'Example Ltd', url: 'https://example.com', contact: 'agents@example.com' },
  model: { capabilities: ['function_calling'] },
  ...PROMPT,
  tools: TOOLS,
  ...PERMISSIONS,
  security: {
    authentication: {
      type: 'oauth2',
      required: true,
      scopes: ['documents:read'],
      token_endpoint: 'https://auth.example.com/token',
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
    authors: [{ name: 'Agent team', email: 'agents@example.com' }],
    license: 'Apache-2.0',
    tags: ['documents'],
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
        classified_by: 'Agent team',
        classified_at: now,
      },
      governance: { ownership: { owner: 'agents@example.com' }, audit_trail: { enabled: true, retention_days: 365 } },
    }),
  },
  portfolio: {
    about: 'the portfolio profile: where the agent belongs, and what it works with',
    make: () => ({
      ...classification('internal'),
      profiles: ['urn:adl:profile:portfolio:1.0'],
      inventory: { catalog_id: 'AGT-0001', visibility: 'internal', tags: ['documents'] },
      relationships: { depends_on: ['https://agents.example.com/agents/search'] },
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
        breach_notification: { notification_hours: 24, contact: 'privacy@example.com' },
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
        kill_switch: { enabled: true, trigger_conditions: ['error_rate'], notification_targets: ['risk@example.com'] },
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

/** A new definition. What profiles add comes last. */
export function newDefinition(template: TemplateName, name: string, now: Date): Members {
  const made = TEMPLATES[template].make(name, `${now.toISOString().slice(0, 19)}Z`)
  const rest = Object.keys(made).filter((member) => !ORDER.includes(member))
  const members = [...ORDER.filter((member) => Object.hasOwn(made, member)), ...rest]
  return {
    $schema: 'https://adl-spec.org/0.1/schema.json',
    adl_spec: '0.1.0',
    name,
    description: `Says in a sentence or two what ${name} does, for whom, and what it does not do.`,
    version: '0.1.0',
    ...Object.fromEntries(members.map((member) => [member, made[member]])),
  }
}
