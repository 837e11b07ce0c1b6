// Faults that cannot change an answer: the file, the source line, what the fault makes of its part, and why.
export const EQUIVALENT = [
  {
    file: 'bindings/adl/provision/provision.ts',
    source: 'const { successor } = successionOf(agent, new Date(0))',
    after: '(0 + 1)',
    why: 'the time decides only the days that are left, which are not read here',
  },
  {
    file: 'edge/objects/directory-map.ts',
    source: 'const RETRY_MS = 1000',
    after: '(1000 + 1)',
    why: 'a pause is a millisecond longer',
  },
  {
    file: 'bindings/directory/card-index.ts',
    source: 'if (now < this.#next) return',
    after: '{}',
    why: 'saves asking the store, which has nothing that expires before',
  },
  {
    file: 'bindings/runs/redaction.ts',
    source: 'if (kind !== OBJECT && kind !== ARRAY) return',
    after: '{}',
    why: 'saves a walk: other values have no children',
  },
  {
    file: 'edge/directory/card-store.ts',
    source: 'const BATCH = 200',
    after: '(200 + 1)',
    why: 'one card more is read at once',
  },
  {
    file: 'edge/gateway/outbox.ts',
    source: 'await this.#storage.setAlarm(Math.ceil(Math.min(...times)))',
    after: 'this.#storage.setAlarm(Math.ceil(Math.min(...times)))',
    why: 'no answer leaves the object before the alarm is on disk (output gates)',
  },
  {
    file: 'edge/agents/did.ts',
    source: 'return { all: kept.length > 0 ? kept : [own], kept }',
    after: '(0 + 1)',
    why: 'the only key of an agent is the one in its metadata',
  },
  {
    file: 'bindings/directory/text/dictionary.ts',
    source: 'if (this.#added.length === 0) return',
    after: '{}',
    why: 'saves sorting words that are sorted',
  },
  {
    file: 'bindings/card/tags.ts',
    source: 'const LONGEST = 100',
    after: '(100 + 1)',
    why: 'no text of that length resembles a tag',
  },
  {
    file: 'bindings/wasm/number.ts',
    source: 'return core.exports.readNumber(text.length <= SHORT ? writeShort(core, text) : core.writeText(text))',
    after: '!(text.length <= SHORT)',
    why: 'both ways write the same bytes',
  },
  {
    file: 'bindings/tables/spdx.ts',
    source: 'if (exact !== undefined) return exact',
    after: '{}',
    why: 'an identifier resembles itself most, and no two have one essence',
  },
  {
    file: 'core/json/tape.ts',
    source: 'let warnings: u32 = 0;',
    after: '(0 + 1)',
    why: 'reading begins with resetWarnings',
  },
  {
    file: 'core/jcs/canonicalize.ts',
    source: 'if (length < NOT_SLICE && text + textLength + 1 == value) {',
    after: '<=',
    why: 'the record of a container is not in the document, so never right behind its name',
  },
  {
    file: 'cli/reader.ts',
    source: 'if (inputs.length >= MANY) this.#host.expectMany()',
    after: '>',
    why: 'changes how soon the engine compiles, and no answer',
  },
  {
    file: 'edge/registry/routes.ts',
    source: 'const CHUNK = 4 << 20',
    after: '(4 + 1)',
    why: 'an upload takes more memory, and gives the same bytes',
  },
  {
    file: 'edge/http/body.ts',
    source: 'if (declared > rule.bytes) return refuse(reader, 0, rule)',
    after: '{}',
    why: 'the same refusal follows when so many bytes have come',
  },
]
