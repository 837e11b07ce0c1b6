import {
  descriptionOf,
  PROMPT,
  TOOL_DESCRIPTION,
  YOUR_COMPANY,
  YOUR_HOST,
  YOUR_TEAM,
} from '../bindings/frame/placeholders.ts'
import * as engine from './engine.ts'

interface Example {
  readonly title: string
  readonly about: string
  text(): string
}

/**
 * Documents to start with: a definition with faults, a signed one, every template of `blazon init` with its texts filled
 * in, a document of most other kinds, and JSON that other parsers misread.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  faulty: { title: 'Definition with faults', about: 'findings, and fixes for some of them', text: () => FAULTY },
  signed: {
    title: 'Signed definition',
    about: 'a valid signature; change something, and it no longer matches',
    text: () => SIGNED,
  },
  ...templates(),
  card: { title: 'Agent Card', about: 'signed with the key in its id', text: () => CARD },
  metadata: { title: 'Agent metadata', about: 'what an agent publishes at its domain, signed', text: () => METADATA },
  'mcp-server': { title: 'MCP server', about: 'the server.json of an MCP server', text: () => SERVER },
  'ai-catalog': { title: 'AI catalog', about: 'a catalog of agents', text: () => CATALOG },
  rfc8785: { title: 'Canonical JSON', about: 'JSON, and its canonical form', text: () => RFC8785 },
  duplicate: { title: 'Duplicate member', about: 'JSON with the same member twice', text: () => DUPLICATE },
  integer: {
    title: 'Large numbers',
    about: 'JSON with numbers that do not fit a double',
    text: () => '{\n  "id": 9007199254740993,\n  "tiny": 1e-400\n}\n',
  },
}

const NAME = 'Document assistant'

/** Texts that replace the placeholders of templates. */
const WRITTEN = new Map([
  [
    descriptionOf(NAME),
    'Finds documents by words and files changes to them, for the clerks of Acme. It deletes nothing.',
  ],
  [PROMPT, 'Find what you are asked for, name the documents, and say when you are not sure. You work for {{company}}.'],
  [YOUR_COMPANY, 'Acme Ltd'],
  [YOUR_TEAM, 'Records office'],
])
const TOOLS: Readonly<Record<string, string>> = {
  find_items: 'Finds documents by words, and gives the names of those that fit best.',
  change_item: 'Files a change to one document, once somebody has confirmed it.',
}

function templates(): Record<string, Example> {
  const names = Object.keys(engine.TEMPLATES) as (keyof typeof engine.TEMPLATES)[]
  return Object.fromEntries(
    names.map((name) => {
      const text = () => `${JSON.stringify(engine.newDefinition(name, NAME, { now: new Date() }), filledIn, 2)}\n`
      const title = `${name[0]!.toUpperCase()}${name.slice(1)} definition`
      return [name, { title, about: engine.TEMPLATES[name].about, text }]
    }),
  )
}

function filledIn(_: string, value: unknown): unknown {
  if (typeof value === 'string') return WRITTEN.get(value) ?? value.replace(YOUR_HOST, 'acme.example.com')
  const { name, description } = (value ?? {}) as { readonly name?: string; readonly description?: string }
  return description === TOOL_DESCRIPTION ? { ...(value as object), description: TOOLS[name!] } : value
}

// In YAML, to show that YAML is read as well.
const FAULTY = `# A definition with a few faults. Findings says what they are; some have a fix at hand.
adl_spec: 0.1.0
name: Invoice reader
descripton: Reads invoices, checks the amounts and files them.
version: "1.0"
data_classification:
  sensitivity: confidental
tools:
  - name: read_invoice
    description: Reads one invoice.
    read_only: "true"
permissions:
  network:
    allowed_hosts: ["*"]
  filesystem:
    allowed_paths:
      - path: /data/invoices/**
        access: read
`

// RFC 8785 section 3.2.2
const RFC8785 = `{
  "numbers": [333333333.33333329, 1E30, 4.50,
              2e-3, 0.000000000000000000000000001],
  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
  "literals": [null, true, false]
}
`

const DUPLICATE = `{
  "name": "Weather agent",
  "host": "api.example.com",
  "n\\u0061me": "Another agent"
}
`

// Its private key was discarded after signing.
const SIGNED = `{
  "$schema": "https://adl-spec.org/0.1/schema.json",
  "adl_spec": "0.1.0",
  "name": "Signed assistant",
  "description": "Shows a signature that holds. Change a letter anywhere, and it does not.",
  "version": "1.0.0",
  "id": "https://agents.example.com/agents/signed-assistant",
  "cryptographic_identity": {
    "public_key": {
      "algorithm": "Ed25519",
      "value": "MCowBQYDK2VwAyEAhBiRi9CROQu/SUxJ7AtU8h6Mf5bvlS+MtX5dpBCd0jI="
    }
  },
  "data_classification": {
    "sensitivity": "public"
  },
  "permissions": {
    "network": {
      "allowed_hosts": [
        "api.example.com"
      ],
      "allowed_ports": [
        443
      ]
    }
  },
  "security": {
    "attestation": {
      "type": "self",
      "issuer": "Example Ltd",
      "signature": {
        "algorithm": "Ed25519",
        "value": "6fGUmPjTYaRdzBIbGrbz2ppYq2ZU0X_OKRqFDb9bSAJ5bf9RjSv7rbjJb6IhGzli26AhiddsqlORWSD8mp0sCg",
        "signed_content": "canonical"
      }
    }
  }
}
`

// Its private key was also discarded.
const CARD = `{
  "id": "agent://bafzaajaiaejcaf5hrerqxaattke3elal6rchllwlb2hryffwamm2vfrjzgh5eg53",
  "name": "Translator",
  "description": "Translates contracts between German, French and English, and marks what a lawyer should look at. It gives no legal advice.",
  "version": "1.0.0",
  "skills": ["nlp/translation"],
  "tools": [
    {
      "name": "translate",
      "description": "Translates a text into a language, and gives the places that have more than one meaning.",
      "input_schema": {
        "type": "object",
        "properties": {
          "text": { "type": "string" },
          "to": {
            "type": "string",
            "enum": ["de", "en", "fr"]
          }
        },
        "required": ["text", "to"]
      },
      "output_schema": {
        "type": "object",
        "properties": {
          "text": { "type": "string" },
          "doubts": {
            "type": "array",
            "items": { "type": "string" }
          }
        }
      },
      "idempotent": true
    }
  ],
  "constraints": {
    "max_concurrent_tasks": 3,
    "supported_languages": ["de", "en", "fr"],
    "rate_limit": "60/min"
  },
  "endpoints": [
    {
      "protocol": "aitp",
      "uri": "agent://bafzaajaiaejcaf5hrerqxaattke3elal6rchllwlb2hryffwamm2vfrjzgh5eg53",
      "auth": "aitp_signed"
    }
  ],
  "metadata": {
    "created_at": "2026-01-15T00:00:00Z",
    "updated_at": "2026-01-15T00:00:00Z",
    "ttl": 3600
  },
  "seq": 1,
  "signature": "ta1eMtihjAZeLS8kWbVZyDLJj0NLXRvgMIwxvOnm1uBqm0StMT-RFyXxd3M9bDTRACdS_4vtopOx0SnK_WUGDA"
}
`

// Its private key was also discarded. Only the document itself says whose the key is.
const METADATA = `{
  "protocol": "ADP/1.1",
  "identity": {
    "domain": "alice.example.com",
    "id": "agent:alice.example.com",
    "name": "Alice",
    "publicKey": {
      "algorithm": "ed25519",
      "fingerprint": "ed25519:7tOqrxarpocgnkTKfx3MVVS-qr8zDQ2vWIG8uLTQv7M",
      "full": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEAUMTu8eJQ6ifLQj3QKEVvqSGfvMA5hpsvlSyi6m328q0=\\n-----END PUBLIC KEY-----\\n",
      "proof": "ed25519:NkLH7znnQAWE-0TbgjYqzm8DhJr50mwvMs6KcEYo-NQBtObslsopJF3yn95SQxtPMk0cfC38VlW-XgSKcgRsBw"
    }
  },
  "endpoints": {
    "discovery": "https://alice.example.com/",
    "wellKnown": "https://alice.example.com/.well-known/agent.json"
  },
  "capabilities": [
    {
      "description": "Translates contracts between German, French and English.",
      "id": "translate",
      "input": [
        "text"
      ],
      "name": "Translation",
      "output": [
        "text"
      ],
      "pricing": {
        "model": "free"
      }
    }
  ],
  "security": {
    "authMethods": [
      "pubkey"
    ],
    "minProtocolVersion": "ADP/1.1",
    "tlsRequired": true
  }
}
`

const SERVER = `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "com.example/weather",
  "title": "Weather",
  "description": "Forecasts for the next ten days, by place and hour.",
  "version": "1.2.0",
  "remotes": [
    {
      "type": "streamable-http",
      "url": "https://weather.example.com/mcp"
    }
  ]
}
`

const CATALOG = `{
  "specVersion": "1.0",
  "host": {
    "displayName": "Acme Ltd",
    "identifier": "did:web:acme.example.com"
  },
  "entries": [
    {
      "identifier": "urn:air:acme.example.com:agents:translator",
      "displayName": "Translator",
      "type": "application/a2a-agent-card+json",
      "url": "https://acme.example.com/.well-known/agent-card.json",
      "description": "Translates contracts between German, French and English.",
      "representativeQueries": [
        "Translate this contract into German",
        "Which clauses have more than one meaning?"
      ]
    }
  ]
}
`
