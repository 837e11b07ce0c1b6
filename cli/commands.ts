// The one table of commands: help, completion and the reading of arguments are made from it.
import type { Run } from './context.ts'

export interface Option {
  readonly name: string
  readonly short?: string
  /** What help calls the value; a switch has none. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** `:FILE` may follow a choice. */
  readonly withFile?: true
  /** May be given several times. */
  readonly many?: true
  readonly about: string
}

export interface Command {
  readonly name: string
  readonly about: string
  readonly usage: string
  /** What else help says, in lines of 80 columns at the most. */
  readonly details: readonly string[]
  readonly options: readonly Option[]
  readonly examples: readonly string[]
  load(): Promise<{ readonly run: Run }>
}

export const COMMON: readonly Option[] = [
  {
    name: 'format',
    value: 'FORMAT',
    choices: ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown', 'adl'],
    withFile: true,
    many: true,
    about: 'how to report; FORMAT:FILE writes a file',
  },
  { name: 'quiet', short: 'q', about: 'show errors only' },
  { name: 'color', about: 'color, also when stderr is no terminal' },
  { name: 'no-color', about: 'no color (as NO_COLOR in the environment)' },
  { name: 'max-depth', value: 'N', about: 'refuse documents nested deeper than N (default 1024)' },
  {
    name: 'fail-on',
    value: 'LEVEL',
    choices: ['error', 'warning', 'info'],
    about: 'exit 1 from this severity on (default error)',
  },
  { name: 'max-warnings', value: 'N', about: 'exit 1 when there are more warnings than N' },
  { name: 'stdin-filepath', value: 'PATH', about: 'what to call the document that comes from stdin' },
  { name: 'allow-network', about: 'read documents from https addresses, too' },
  { name: 'help', short: 'h', about: 'show help' },
]

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
const ALGORITHMS = ['Ed25519', 'Ed448', 'ES256', 'ES384', 'ES512', 'RS256', 'PS256']
const FORMATS = [
  'adl',
  'card',
  'wellknown',
  'a2a-1.0',
  'a2a-0.3',
  'mcp-2025-11-25',
  'mcp-2026-07-28',
  'mcp-server',
  'mcp-client',
  'oasf-record',
  'oasf-descriptor',
]
const KINDS = ['host', 'path', 'env', 'command', 'tag'] as const

export const COMMANDS: readonly Command[] = [
  {
    name: 'approve',
    about: 'take agent definitions into an inventory of what may run',
    usage: 'approve FILE... --inventory FILE [--key KEY]... [--resolve]',
    details: [
      'Writes id, version, digest and signer of each definition, and takes all of them',
      'or none: they must be valid, and a signature that is there must hold. An',
      'inventory that is not there is begun. Exits 4 when a signature is not verified.',
    ],
    options: [
      { name: 'inventory', value: 'FILE', about: 'the inventory' },
      { name: 'key', value: 'KEY', many: true, about: 'keys to trust, and no others: a file, env:NAME, or -' },
      { name: 'resolve', about: 'ask the domain of a did:web for its keys' },
    ],
    examples: ['blazon approve agents/*.adl.json --inventory approved.json --key provider.pub'],
    load: () => import('./commands/approve.ts'),
  },
  {
    name: 'bump',
    about: 'make the next version of an Agent Card',
    usage: 'bump [FILE|-] [--key KEY] [--out FILE]',
    details: [
      'Raises seq by one, sets metadata.updated_at and takes out the signature, which',
      'is one of the card before; everything else stays as it is. With --key, signs it.',
      'Writes to stdout or to the file of --out, which may be FILE.',
    ],
    options: [
      { name: 'key', value: 'KEY', about: 'the private key: a file, env:NAME, or -' },
      { name: 'out', value: 'FILE', about: 'where the card goes' },
    ],
    examples: ['blazon bump card.json --out card.json', 'blazon bump card.json --key agent.key --out card.json'],
    load: () => import('./commands/bump.ts'),
  },
  {
    name: 'canonicalize',
    about: 'write the canonical form (RFC 8785) of documents',
    usage: 'canonicalize [FILE...|-] [--hash ALGORITHM] [--without POINTER]...',
    details: [
      'Writes exactly the bytes: no newline is added. Several files give one line each.',
      'With --hash, writes the digest in hexadecimal and a newline; of several files',
      'also their names. Without FILE, reads stdin. Of YAML (by the name of the file),',
      'writes the canonical form of the JSON that it stands for.',
    ],
    options: [
      {
        name: 'hash',
        value: 'ALGORITHM',
        choices: ['sha256', 'sha384', 'sha512'],
        about: 'write the digest: sha256, sha384 or sha512',
      },
      { name: 'without', value: 'POINTER', many: true, about: 'leave out the value that a JSON Pointer names' },
      { name: 'json-only', about: 'read every file as JSON, whatever its name' },
    ],
    examples: [
      'blazon canonicalize agent.json > agent.canonical.json',
      'blazon canonicalize agent.json --hash sha256',
      'blazon canonicalize signed.json --without /signature | openssl dgst -sha256',
    ],
    load: () => import('./commands/canonicalize.ts'),
  },
  {
    name: 'decide',
    about: 'say whether an agent definition permits something, and why',
    usage: 'decide FILE DOMAIN NAME=VALUE... | decide FILE --request JSON',
    details: [
      'Domains and what they are asked with: network host port protocol address;',
      'filesystem path access; environment variable; execution command shell; resource',
      'memoryMb cpuPercent durationSec concurrent; tool name confirmed. Writes what was',
      'decided, by which value of the definition, and each step. Exits 1 when denied.',
    ],
    options: [
      { name: 'request', value: 'JSON', about: 'the request as an object' },
      { name: 'key', value: 'KEY', many: true, about: 'keys to trust, and no others: a file, env:NAME, or -' },
      { name: 'windows', about: 'paths and programs are those of Windows' },
      { name: 'ignore-case', about: 'the system takes upper and lower case for equal' },
    ],
    examples: [
      'blazon decide agent.adl.json network host=api.example.com port=443',
      'blazon decide agent.adl.json filesystem path=/data/a.csv access=read',
      `blazon decide agent.adl.json --request '{"domain": "tool", "name": "search"}'`,
    ],
    load: () => import('./commands/decide.ts'),
  },
  {
    name: 'convert',
    about: 'convert definitions, cards, A2A, MCP and OASF into each other',
    usage: 'convert [FILE|-] --to FORMAT [--url URL] [--strict] [--out FILE]',
    details: [
      'Writes the document to stdout or to the file of --out, and what became of each',
      'member to stderr. What FORMAT has no member for goes along where it has room,',
      'but for prompts, contacts, authors and permissions: --carry all takes these.',
      'With --strict, exits 1 when something was dropped or changed.',
    ],
    options: [
      { name: 'to', value: 'FORMAT', choices: FORMATS, about: 'what to make' },
      { name: 'from', value: 'FORMAT', choices: FORMATS, about: 'what FILE is; detected when absent' },
      { name: 'id', value: 'ID', about: 'agent://...: of a card made of what does not say it' },
      { name: 'url', value: 'URL', about: 'where the agent is reached' },
      { name: 'binding', value: 'BINDING', choices: ['JSONRPC', 'GRPC', 'HTTP+JSON'], about: 'how (default JSONRPC)' },
      { name: 'api-key', value: 'WHERE:NAME', about: 'where an API key is sent: header:X-API-Key' },
      { name: 'server-name', value: 'NAME', about: 'the name in a registry: com.example/weather' },
      { name: 'command', value: 'COMMAND', about: 'how a client starts the server' },
      { name: 'arg', value: 'ARG', many: true, about: 'an argument of it' },
      { name: 'server', value: 'NAME', about: 'which server of a client configuration' },
      {
        name: 'classification',
        value: 'LEVEL',
        choices: ['public', 'internal', 'confidential', 'restricted'],
        about: 'of a definition made of what does not say it',
      },
      { name: 'agent-version', value: 'VERSION', about: 'likewise' },
      { name: 'description', value: 'TEXT', about: 'likewise' },
      { name: 'openapi', value: 'URI=FILE', many: true, about: 'what an openapi_ref of a tool stands for' },
      {
        name: 'carry',
        value: 'WHAT',
        choices: ['public', 'all', 'nothing'],
        about: 'what goes along (default public)',
      },
      { name: 'strict', about: 'exit 1 when something is lost' },
      { name: 'out', value: 'FILE', about: 'where the document goes' },
    ],
    examples: [
      'blazon convert agent.adl.yaml --to a2a-1.0 --url https://example.com/a2a',
      'blazon convert card.json --to adl --classification internal --out a.adl.json',
      'blazon convert agent.adl.yaml --to card --id agent://scout',
    ],
    load: () => import('./commands/convert.ts'),
  },
  {
    name: 'diff',
    about: 'show what a new agent definition means that the old one did not',
    usage: 'diff OLD NEW [--check-version] | diff --canonical A B',
    details: [
      'Writes each change: wider or narrower grants, tools, schemas, classification,',
      'lifecycle, keys; with the step of the version that it needs (ADL 5.5). Exits 1',
      'when a grant is wider. With --canonical, finds the first byte that differs in',
      'the canonical forms of any two documents, and exits 1 when there is one. One of',
      'the documents may be -.',
    ],
    options: [
      { name: 'canonical', about: 'compare canonical forms (RFC 8785)' },
      { name: 'check-version', about: 'exit 1 when version moved too little' },
    ],
    examples: [
      'blazon diff old.adl.json new.adl.json --check-version',
      'git show HEAD:agent.adl.json | blazon diff - agent.adl.json',
      'blazon diff --canonical mine.json theirs.json',
    ],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'directory',
    about: 'back a directory of cards up, and bring it back',
    usage: 'directory export --from URL [--out FILE] | import FILE... --to URL',
    details: [
      'export writes every card of a directory as it came, one a line, with how it was',
      'verified; to stdout, or to the file of --out. import sends such lines to a',
      'directory, which verifies each card again. BLAZON_TOKEN in the environment is',
      'the token of the server.',
    ],
    options: [
      { name: 'from', value: 'URL', about: 'export: the server' },
      { name: 'out', value: 'FILE', about: 'export: where the lines go' },
      { name: 'to', value: 'URL', about: 'import: the server' },
    ],
    examples: [
      'blazon directory export --from https://agents.example.com > backup.jsonl',
      'blazon directory import backup.jsonl --to https://agents.example.com',
    ],
    load: () => import('./commands/directory.ts'),
  },
  {
    name: 'explain',
    about: 'say what a code means',
    usage: 'explain [CODE|RULE...]',
    details: [
      'What it demands and why, with an example that breaks it and the same mended.',
      'Without a code, lists all of them.',
    ],
    options: [],
    examples: ['blazon explain ADL-2002', 'blazon explain bare-wildcard HC-05'],
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'fmt',
    about: 'put JSON and YAML documents into one style',
    usage: 'fmt [FILE...|-] [--check | --write] [--sort | --compact]',
    details: [
      'Writes the documents to stdout. Strings and numbers stay as they were written,',
      'and so do comments, anchors, quotes and the order of members. --check lists',
      'the files that are in another style, and exits 1 when there are some; --write',
      'writes those over and lists them.',
    ],
    options: [
      { name: 'check', about: 'only say which files are in another style' },
      { name: 'write', about: 'write the files over' },
      { name: 'sort', about: 'put members into canonical order (RFC 8785)' },
      { name: 'compact', about: 'JSON without white space, and how much that saves' },
      { name: 'add-schema', about: 'give agent definitions the $schema they lack' },
    ],
    examples: ['blazon fmt agents --check', "blazon fmt '**/*.adl.yaml' --write", 'blazon fmt - < agent.json'],
    load: () => import('./commands/fmt.ts'),
  },
  {
    name: 'gate',
    about: 'say whether agents may run on a host, and what the host has to do',
    usage: 'gate [FILE...|-] [--enforces DOMAIN]... [--trust FILE] [--trusted]',
    details: [
      'Checks lifecycle, signature, origin and grants before an agent is instantiated.',
      'Nothing is assumed: it is production, nothing is enforced and nobody is trusted',
      'unless an option says so. What may be accepted is acknowledged by its name.',
      'Exits 1 when one may not run.',
    ],
    options: [
      {
        name: 'environment',
        value: 'NAME',
        choices: ['production', 'staging', 'test', 'development'],
        about: 'where it is to run (default production)',
      },
      {
        name: 'enforces',
        value: 'DOMAIN',
        choices: ['network', 'filesystem', 'environment', 'execution', 'resource_limits'],
        many: true,
        about: 'a permission domain that the host enforces',
      },
      { name: 'trust', value: 'FILE', about: 'providers, issuers, keys and registries to trust' },
      { name: 'inventory', value: 'FILE', about: 'what was approved; anything else is refused' },
      { name: 'source', value: 'URL', about: 'where the definition came from' },
      { name: 'trusted', about: 'it came from where everything is trusted' },
      { name: 'acknowledge', value: 'NAME', many: true, about: 'what somebody accepts, by the name shown' },
      { name: 'allow-scheme', value: 'SCHEME', many: true, about: 'a scheme of URIs besides https, http, urn' },
      { name: 'resolve', about: 'ask the domain of a did:web for its keys' },
    ],
    examples: [
      'blazon gate agent.adl.json --enforces network --enforces filesystem --trust trust.json',
      'blazon gate agents --inventory approved.json --trusted --environment staging',
    ],
    load: () => import('./commands/gate.ts'),
  },
  {
    name: 'grants',
    about: 'show what agent definitions permit, as a table',
    usage: 'grants [FILE...|-] [--markdown]',
    details: [
      'Writes a row for each grant, denial and limit, and for what is denied because',
      'nothing grants it; with notes on what one might not expect. A signature is',
      'verified first: what cannot be trusted permits nothing.',
    ],
    options: [
      { name: 'markdown', about: 'write Markdown tables' },
      { name: 'key', value: 'KEY', many: true, about: 'keys to trust, and no others: a file, env:NAME, or -' },
    ],
    examples: ['blazon grants agent.adl.yaml', 'blazon grants agents --markdown > grants.md'],
    load: () => import('./commands/grants.ts'),
  },
  {
    name: 'init',
    about: 'write an agent definition or a card to begin with',
    usage: 'init [FILE] [--kind KIND] [--template NAME] [OPTION]...',
    details: [
      'Writes agent.adl.yaml, or FILE: YAML, or JSON when it ends in .json. Never over',
      'a file that is there already. The template is minimal, tools, production, or one',
      'of a profile: governance, portfolio, healthcare, financial. A card goes to',
      'agent.card.json; its template is minimal or tools.',
    ],
    options: [
      { name: 'kind', value: 'KIND', choices: ['adl', 'card'], about: 'what to write (default adl)' },
      {
        name: 'template',
        value: 'NAME',
        choices: ['minimal', 'tools', 'production', 'governance', 'portfolio', 'healthcare', 'financial'],
        about: 'what it holds (default minimal)',
      },
      { name: 'name', value: 'NAME', about: 'name of the agent; from FILE when absent' },
      { name: 'dry-run', about: 'write to stdout instead' },
    ],
    examples: [
      'blazon init',
      'blazon init invoices.adl.json --template production',
      'blazon init translator.card.json --kind card',
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'keygen',
    about: 'make a key to sign with',
    usage: 'keygen [--algorithm NAME] [--out FILE] [--public FILE] [--jwk]',
    details: [
      'Writes the private key to FILE, which nobody else can read and which must not be',
      'there yet, and the public key to stdout or to the file of --public. The private',
      'key goes to stdout without --out. PEM (PKCS #8, SPKI), or JWK with --jwk.',
    ],
    options: [
      {
        name: 'algorithm',
        value: 'ALGORITHM',
        choices: ALGORITHMS,
        about: 'what it is for (default Ed25519)',
      },
      { name: 'out', value: 'FILE', about: 'where the private key goes' },
      { name: 'public', value: 'FILE', about: 'where the public key goes' },
      { name: 'jwk', about: 'write JSON Web Keys' },
    ],
    examples: ['blazon keygen --out agent.key --public agent.pub', 'blazon keygen --algorithm ES256 --out agent.key'],
    load: () => import('./commands/keygen.ts'),
  },
  {
    name: 'match',
    about: 'say which pattern matches each subject',
    usage: 'match --kind KIND PATTERN... -- SUBJECT...',
    details: [
      'Writes a line for each subject: the subject, a tab, and the pattern that decided',
      '(the first that matches), or nothing. Exits 1 when a subject is matched by none.',
      'A SUBJECT of - reads subjects from stdin, one a line.',
    ],
    options: [
      {
        name: 'kind',
        value: 'KIND',
        choices: KINDS,
        about: 'what they are: host, path, env, command or tag',
      },
      { name: 'ignore-case', about: 'take upper and lower case for equal (paths)' },
    ],
    examples: [
      "blazon match --kind host '*.example.com' -- api.example.com example.org",
      "find /data | blazon match --kind path '/data/**' -- -",
    ],
    load: () => import('./commands/match.ts'),
  },
  {
    name: 'probe',
    about: 'ask the endpoints of an Agent Card whether what it claims is there',
    usage: 'probe [FILE|-] --network',
    details: [
      'Asks each endpoint of http+json, by https, for tools/list of MCP, or else its',
      'server for the A2A card, and writes which claimed tools are missing and which',
      'offered ones are not claimed. Calls no tool. Says where it connects to before',
      'it does. Exits 1 when a tool is missing, 3 when no endpoint answers.',
    ],
    options: [{ name: 'network', about: 'connect to the endpoints of the card' }],
    examples: ['blazon probe card.json --network'],
    load: () => import('./commands/probe.ts'),
  },
  {
    name: 'publish',
    about: 'publish agent definitions and cards on a server',
    usage: 'publish FILE... --to URL [--reviewed] [--acknowledge POINTER]...',
    details: [
      'Sends each definition to URL/agents/NAME/adl.json, NAME being that of the file.',
      'BLAZON_TOKEN in the environment is the token of the server. What is invalid is',
      'refused there; so is what somebody must confirm first, until it is confirmed.',
      'Agent Cards go to the directory of the server (adp.advertise), which takes those',
      'that are signed from anybody. When it is busy they are sent again in a while.',
    ],
    options: [
      { name: 'to', value: 'URL', about: 'the server' },
      { name: 'reviewed', about: 'somebody looked at what publishing reveals' },
      { name: 'acknowledge', value: 'POINTER', many: true, about: 'a bare * that is meant' },
      { name: 'vouch', about: 'send the token with cards, too: for unsigned ones' },
    ],
    examples: [
      'blazon publish agents/*.adl.yaml --to https://agents.example.com',
      'blazon publish cards/ --to https://agents.example.com',
    ],
    load: () => import('./commands/publish.ts'),
  },
  {
    name: 'render',
    about: 'fill in a template, or a prompt of an agent definition',
    usage: 'render [FILE|-] [--text TEXT] [--prompt NAME] [--var NAME=VALUE]',
    details: [
      'Replaces each {{name}} by its value; \\{{ stands for {{ itself. Writes exactly',
      'the result. A name without a value is an error. Of an agent definition, renders',
      'the system prompt or the prompt of --prompt: values that hold {{, }} or',
      'characters that are not seen are refused; arguments must fit their schema.',
    ],
    options: [
      { name: 'text', value: 'TEXT', about: 'the template itself, in place of FILE' },
      { name: 'prompt', value: 'NAME', about: 'which prompt of the definition' },
      { name: 'escape', about: 'write \\{{ for {{ in values of prompts' },
      { name: 'var', value: 'NAME=VALUE', many: true, about: 'a value; wins over --vars' },
      { name: 'vars', value: 'FILE', about: 'a JSON object of values' },
    ],
    examples: [
      "blazon render --text 'Hello {{name}}' --var name=World",
      'blazon render prompt.txt --vars values.json',
      'blazon render agent.adl.yaml --prompt summarize --vars values.json',
    ],
    load: () => import('./commands/render.ts'),
  },
  {
    name: 'review',
    about: 'list what publishing agent definitions reveals',
    usage: 'review [FILE...|-] [--public OUT]',
    details: [
      'Prompts, contacts, hosts, addresses, paths, examples and extension members.',
      'Exits 1 when a definition is confidential or restricted, or holds what looks',
      'like a credential. With --public, writes a copy without these to OUT (- is',
      'stdout), and lists what it leaves out. The copy is not signed and says so.',
    ],
    options: [{ name: 'public', value: 'OUT', about: 'where the copy for the public goes' }],
    examples: ['blazon review agent.adl.yaml', 'blazon review agent.adl.yaml --public public.adl.json'],
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'revoke',
    about: 'make the Agent Card by which an agent says that it is gone',
    usage: 'revoke [FILE|-] [--key KEY] [--out FILE]',
    details: [
      'The next version of a card, without tools and endpoints (section 6.4).',
      'Directories believe it once it is signed; the agent comes back with a higher',
      'seq only.',
      'Writes to stdout or to the file of --out, which may be FILE.',
    ],
    options: [
      { name: 'key', value: 'KEY', about: 'the private key: a file, env:NAME, or -' },
      { name: 'out', value: 'FILE', about: 'where the card goes' },
    ],
    examples: ['blazon revoke card.json --key agent.key --out card.json'],
    load: () => import('./commands/revoke.ts'),
  },
  {
    name: 'search',
    about: 'find the agents that are best for a task',
    usage: 'search [QUERY] [--tag TAG]... [--from URL|FOLDER]...',
    details: [
      'Ranks Agent Cards by their tags and by what they say they do. A folder (here,',
      'when none is named) is indexed on the spot. A directory is asked for its best,',
      'and every card that comes is verified: what fails is dropped. Writes score, id,',
      'name and tags that match, with tabs between. Exits 1 when nothing is found.',
    ],
    options: [
      { name: 'tag', value: 'TAG', many: true, about: "a skill, such as nlp/translation or 'nlp/*'" },
      { name: 'from', value: 'PLACE', many: true, about: 'a folder, a file, or the URL of a directory' },
      { name: 'limit', value: 'N', about: 'at most so many, from 1 to 100 (default 10)' },
      { name: 'min-score', value: 'SCORE', about: 'at least this score, from 0 to 1 (default 0.1)' },
      { name: 'weights', value: 'LIST', about: 'what factors count, as in tags=0.5,text=0.2' },
      { name: 'why', about: 'show the factors of each score as bars' },
      { name: 'key', value: 'KEY', many: true, about: 'keys to trust, and no others: a file, env:NAME, or -' },
      { name: 'unverified', about: 'show cards that cannot be verified, too' },
    ],
    examples: [
      "blazon search 'translate contracts' --tag nlp/translation --from cards/ --why",
      "blazon search 'translate contracts' --from https://agents.example.com --format json",
    ],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'selftest',
    about: 'run published vectors in this runtime and print the result',
    usage: 'selftest [--numbers N]',
    details: [
      'Canonicalizes, refuses, formats, matches and renders vectors whose answers are',
      'published. The digest is over all answers: two runtimes with the same digest',
      'gave the same. Exits 1 when an answer is wrong.',
    ],
    options: [
      {
        name: 'numbers',
        value: 'N',
        choices: ['1000', '10000', '100000', '1000000'],
        about: 'how many published numbers to format (default 10000)',
      },
    ],
    examples: ['blazon selftest', 'blazon selftest --numbers 1000000 --format json'],
    load: () => import('./commands/selftest.ts'),
  },
  {
    name: 'sign',
    about: 'sign an agent definition, an Agent Card or one of A2A',
    usage: 'sign [FILE|-] --key KEY [--mode MODE] [--embed-key] [--out FILE]',
    details: [
      'Signs the canonical form (RFC 8785) of everything but the signature itself, and',
      'writes the signed JSON to stdout or to the file of --out; what was there stays',
      'as it is. KEY is a file, env:NAME (a variable of the environment), or - (stdin).',
      'A card is signed once under its seq: bump raises it for another content. A card',
      'of A2A gets a JWS, and a second one where SDKs leave members out.',
    ],
    options: [
      { name: 'key', value: 'KEY', about: 'the private key: a file, env:NAME, or -' },
      {
        name: 'algorithm',
        value: 'ALGORITHM',
        choices: ALGORITHMS,
        about: 'that of the key when absent; PS256 for RSA',
      },
      {
        name: 'mode',
        value: 'MODE',
        choices: ['canonical', 'digest'],
        about: 'sign the canonical form (default) or its digest',
      },
      {
        name: 'digest',
        value: 'HASH',
        choices: ['SHA-256', 'SHA-384', 'SHA-512'],
        about: 'of which kind the digest is (default SHA-256)',
      },
      { name: 'embed-key', about: 'write the public key into a definition without one' },
      { name: 'previous', value: 'FILE', about: 'the card that was signed before this one' },
      { name: 'kid', value: 'NAME', about: 'what an A2A card calls the key' },
      { name: 'out', value: 'FILE', about: 'where the signed document goes' },
    ],
    examples: [
      'blazon sign agent.adl.yaml --key agent.key --embed-key --out agent.adl.json',
      'blazon sign agent.adl.json --key env:AGENT_KEY --mode digest > signed.adl.json',
    ],
    load: () => import('./commands/sign.ts'),
  },
  {
    name: 'tags',
    about: 'list, spell and match the skill tags of Agent Cards',
    usage: 'tags list | normalize TAG | suggest TAG | match QUERY -- TAG',
    details: [
      'list writes the categories of the Agent Card, the standard tags and their',
      'aliases; normalize the one spelling of each tag; suggest the standard tag that',
      'one was probably meant to be; match the first query that asks for each tag, and',
      'exits 1 when a tag is asked for by none.',
    ],
    options: [{ name: 'normalize', about: 'match: spell queries and tags alike first' }],
    examples: ['blazon tags normalize ML "Text Analysis"', "blazon tags match 'nlp/*' -- nlp/translation"],
    load: () => import('./commands/tags.ts'),
  },
  {
    name: 'validate',
    about: 'check documents',
    usage: 'validate [FILE|FOLDER|GLOB|URL...|-] [--ruleset NAME] [--fix]',
    details: [
      'Finds out what each document is, and checks it by every rule of that kind. What',
      'is wrong is shown where it stands; blazon explain CODE says why it matters.',
      'blazon.config.json or .yaml, here or above, sets rulesets and severities.',
    ],
    options: [
      { name: 'as', value: 'KIND', choices: ['adl', 'adl-discovery', 'card', 'a2a'], about: 'what the documents are' },
      {
        name: 'ruleset',
        value: 'NAME',
        choices: ['spec', 'recommended', 'strict', 'security'],
        about: 'which findings matter (default recommended)',
      },
      { name: 'rule', value: 'RULE=SEVERITY', many: true, about: 'error, warning, info or off' },
      { name: 'allow-undefined', about: 'undefined members are warnings' },
      { name: 'allow-scheme', value: 'SCHEME', many: true, about: 'a scheme that URIs may have, such as s3' },
      { name: 'watch', short: 'w', about: 'do it again whenever a file changes' },
      { name: 'fix', about: 'mend what can be mended' },
      { name: 'fix-dry-run', about: 'show what that would change, and write nothing' },
      { name: 'config', value: 'FILE', about: 'the configuration' },
    ],
    examples: ['blazon validate agents/', 'blazon validate agent.adl.yaml --format sarif:findings.sarif'],
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'verify',
    about: 'verify the signature of agent definitions and cards, step by step',
    usage: 'verify [FILE...|-] [--key KEY]... [--resolve]',
    details: [
      'Says of each document whether it is verified, failed or unverifiable, and every',
      'step that led there. Exits 4 unless all are verified. A key that comes with the',
      'document shows only that nothing was changed: give the key of the provider, or',
      'have the did:web of a definition resolved, which asks its domain over https. The',
      'id of a card may itself be the key.',
    ],
    options: [
      { name: 'key', value: 'KEY', many: true, about: 'keys to trust, and no others: a file, env:NAME, or -' },
      { name: 'expect-provider', value: 'DOMAIN', about: 'the domain that has to stand behind it' },
      { name: 'expect-id', value: 'ID', about: 'the identifier that it has to have' },
      { name: 'resolve', about: 'ask the domain of a did:web for its keys' },
      { name: 'keys', value: 'FILE', about: 'the keys that agents are known by, for cards' },
      { name: 'self-asserted', about: 'try the did:key of a card, which shows no identity' },
      { name: 'inventory', value: 'FILE', about: 'tell what differs from what was approved' },
    ],
    examples: [
      'blazon verify agent.adl.json --key provider.pub',
      'blazon verify agents/ --resolve --expect-provider acme.example.com --format json',
    ],
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'completion',
    about: 'write a completion script for a shell',
    usage: `completion ${SHELLS.join('|')}`,
    details: ['Writes the script to stdout; where it goes depends on the shell.'],
    options: [],
    examples: [
      'blazon completion bash > ~/.local/share/bash-completion/completions/blazon',
      'blazon completion fish | source',
    ],
    load: () => import('./commands/completion.ts'),
  },
]
