import * as engine from './engine.ts'

interface Example {
  readonly about: string
  text(): string
}

/** Documents to start with: every template of `blazon init`, a definition with faults, and JSON that others misread. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...templates(),
  signed: { about: 'a signature that holds, until something is changed', text: () => SIGNED },
  card: { about: 'an Agent Card, with what it still lacks', text: card },
  faulty: { about: 'findings, and fixes for some of them', text: () => FAULTY },
  rfc8785: { about: 'JSON, and its canonical form', text: () => RFC8785 },
  duplicate: { about: 'JSON with a member twice', text: () => DUPLICATE },
  integer: {
    about: 'JSON with numbers that doubles cannot hold',
    text: () => '{\n  "id": 9007199254740993,\n  "tiny": 1e-400\n}\n',
  },
}

function card(): string {
  return `${JSON.stringify(engine.newCard('tools', 'Translator', { now: new Date() }), null, 2)}\n`
}

function templates(): Record<string, Example> {
  const names = Object.keys(engine.TEMPLATES) as (keyof typeof engine.TEMPLATES)[]
  return Object.fromEntries(
    names.map((name) => {
      const text = () =>
        `${JSON.stringify(engine.newDefinition(name, 'Document assistant', { now: new Date() }), null, 2)}\n`
      return [name, { about: engine.TEMPLATES[name].about, text }]
    }),
  )
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
