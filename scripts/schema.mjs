// Writes schema-check.ts of each specification: its schema.json as a program that decides and says nothing more. It takes
// half as long as what Ajv makes of the schema, for it goes over each object's members once.
//
//   node scripts/schema.mjs           write the files
//   node scripts/schema.mjs --check   only say whether they are current
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keep } from './generated.mjs'

const SPECIFICATIONS = ['adl', 'card']
const FORMATS = { 'date-time': 'isDateTime', email: 'isEmail', uri: 'isUri', 'uri-reference': 'isUriReference' }

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** A function for each object and array of the schema, the document's own being last. */
class Writer {
  #schema
  #functions = []
  #patterns = new Map()
  #names = new Map()

  constructor(schema) {
    this.#schema = schema
  }

  write() {
    const root = this.#objectFunction(this.#schema)
    const patterns = [...this.#patterns].map(([source, name]) => `const ${name} = /${new RegExp(source).source}/`)
    const written = this.#functions.join('\n')
    const formats = Object.values(FORMATS).filter((name) => written.includes(`${name}(`))
    return `// Written by scripts/schema.mjs from schema.json; do not edit.
import { ${formats.join(', ')} } from '../schema/formats.ts'
import { isObject, type JsonObject } from '../document/members.ts'
${written.includes('isExtension(') ? "import { isExtension } from './shape.ts'\n" : ''}
${patterns.join('\n')}

${this.#functions.join('\n\n')}

/**
 * Whether a document has the shape that the schema demands${this.#schema.patternProperties === undefined ? '' : ', and no members but its own and extensions'}. It asks no name
 * whether it is the object's own: where all objects have enumerable members the answer is no, and explain.ts looks closer.
 */
export function matchesSchema(document: JsonObject): boolean {
  for (const _ in EMPTY) return false
  return ${root}(document)
}

const EMPTY = {}
`
  }

  /** The condition under which a value is refused; empty when none is. */
  #refusal(given, value) {
    if (given.$ref !== undefined) return this.#refusal(this.#schema.$defs[given.$ref.split('/').at(-1)], value)
    if (Array.isArray(given.type)) {
      const accepts = given.type.map((type) => `!(${this.#refusal({ ...given, type }, value)})`)
      return `!(${accepts.join(' || ')})`
    }
    switch (given.type) {
      case undefined:
        return ''
      case 'string':
        return this.#refusalOfText(given, value)
      case 'boolean':
        return `typeof ${value} !== 'boolean'`
      case 'object':
        return given.properties === undefined && typeof given.additionalProperties !== 'object'
          ? `!isObject(${value})`
          : `!isObject(${value}) || !${this.#objectFunction(given)}(${value})`
      case 'array':
        return `!Array.isArray(${value}) || !${this.#arrayFunction(given)}(${value})`
      default:
        return this.#refusalOfNumber(given, value)
    }
  }

  #refusalOfText({ enum: options, minLength, pattern, format }, value) {
    const refusals = [`typeof ${value} !== 'string'`]
    if (options !== undefined) refusals.push(`!(${options.map((option) => `${value} === '${option}'`).join(' || ')})`)
    if (minLength !== undefined) refusals.push(`${value}.length < ${minLength}`)
    if (pattern !== undefined) refusals.push(`!${this.#pattern(pattern)}.test(${value})`)
    if (format !== undefined) refusals.push(`!${FORMATS[format]}(${value})`)
    return refusals.join(' || ')
  }

  #refusalOfNumber({ type, minimum, maximum }, value) {
    const refusals = [`typeof ${value} !== 'number'`]
    if (type === 'integer') refusals.push(`!Number.isInteger(${value})`)
    if (minimum !== undefined) refusals.push(`${value} < ${minimum}`)
    if (maximum !== undefined) refusals.push(`${value} > ${maximum}`)
    return refusals.join(' || ')
  }

  #pattern(source) {
    if (!this.#patterns.has(source)) this.#patterns.set(source, `PATTERN_${this.#patterns.size + 1}`)
    return this.#patterns.get(source)
  }

  #objectFunction(schema) {
    return this.#function(schema, 'object', 'JsonObject', () => {
      const { properties = {}, required = [], patternProperties, additionalProperties } = schema
      const members = Object.entries(properties).map(([name, member]) => {
        const refusal = this.#refusal(member, 'value')
        const count = required.includes(name) ? 'found++\n' : ''
        return `case '${name}':\n${refusal === '' ? '' : `if (${refusal}) return false\n`}${count}break`
      })
      const others = this.#refusalOfOthers(patternProperties, additionalProperties)
      const found = required.length > 0
      return `${found ? 'let found = 0\n' : ''}for (const name in object) {
        const value = object[name]
        switch (name) {\n${members.join('\n')}${others}\n}
      }
      return ${found ? `found === ${required.length}` : 'true'}`
    })
  }

  /** What becomes of members that the schema does not name. */
  #refusalOfOthers(patternProperties, additionalProperties) {
    if (patternProperties !== undefined) return '\ndefault:\nif (!isExtension(name)) return false'
    if (typeof additionalProperties !== 'object') return ''
    return `\ndefault:\nif (${this.#refusal(additionalProperties, 'value')}) return false`
  }

  #arrayFunction(schema) {
    return this.#function(schema, 'array', 'readonly unknown[]', () => {
      const refusal = this.#refusal(schema.items, 'value')
      const least = schema.minItems === undefined ? '' : `if (array.length < ${schema.minItems}) return false\n`
      if (refusal === '') return `${least}return true`
      return `${least}for (let i = 0; i < array.length; i++) {
        const value = array[i]
        if (${refusal}) return false
      }
      return true`
    })
  }

  /** Equal schemas share a function. */
  #function(schema, kind, type, body) {
    const key = JSON.stringify(schema)
    let name = this.#names.get(key)
    if (name === undefined) {
      const text = body()
      name = `${kind}${this.#names.size + 1}`
      this.#names.set(key, name)
      this.#functions.push(`function ${name}(${kind}: ${type}): boolean {\n${text}\n}`)
    }
    return name
  }
}

const fileOf = (specification) => `bindings/${specification}/schema-check.ts`

/** The file's content, as the formatter has it. */
function content(specification) {
  const schema = JSON.parse(readFileSync(`bindings/${specification}/schema.json`, 'utf8'))
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write']
  const args = [...biome, `--stdin-file-path=${fileOf(specification)}`]
  const input = new Writer(schema).write()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Gives what is wrong with the files, a line each; without `check` they are written. */
export function schemaCheck({ check }) {
  return SPECIFICATIONS.flatMap((specification) =>
    keep(fileOf(specification), content(specification), 'scripts/schema.mjs', { check }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = schemaCheck({ check: process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
