// Rules for inputs of users, and for placeholder texts of the template.
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { argumentsOf, inputsOf, type McpServer } from '../server.ts'
import { SERVER_JSON } from './schema.ts'

export const argumentForm: Rule<McpServer> = {
  id: 'argument-form',
  code: 'SRV-130',
  title: 'Argument that says too little',
  section: SERVER_JSON,
  severity: 'error',
  why: 'A named argument is written by its name; of a positional one clients know by its value, or by the hint, what to ask for.',
  bad: '{"packages": [{"packageArguments": [{"type": "positional"}]}]}',
  good: '{"packages": [{"packageArguments": [{"type": "positional", "valueHint": "city"}]}]}',
  check({ packages }, report) {
    for (const { pointer, value } of packages.flatMap(argumentsOf)) {
      const lacks = (...names: string[]) => !names.some((name) => Object.hasOwn(value, name))
      if (value['type'] === 'named' && lacks('name')) report(pointer, 'Expected a name for a named argument')
      if (value['type'] === 'positional' && lacks('value', 'valueHint'))
        report(pointer, 'Expected a value or a valueHint for a positional argument')
    }
  },
}

/** A value with a variable that the client asks for. */
const TEMPLATE = /\{[A-Za-z_]\w*\}/

export const secretValue: Rule<McpServer> = {
  id: 'secret-value',
  code: 'SRV-131',
  title: 'Secret that is no secret',
  section: SERVER_JSON,
  severity: 'warning',
  rulesets: { security: 'error' },
  why: 'Everybody reads the description: a secret with a value in it is known to all. Users give theirs, and variables take it.',
  bad: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "value": "0123456789"}]}]}',
  good: '{"remotes": [{"headers": [{"name": "X-API-Key", "isSecret": true, "isRequired": true}]}]}',
  check(server, report) {
    for (const input of inputsOf(server)) {
      if (input.value['isSecret'] !== true) continue
      for (const text of [textMember(input, 'value'), textMember(input, 'default')]) {
        // Findings never include the value itself.
        if (text !== undefined && text.value !== '' && !TEMPLATE.test(text.value))
          report(text.pointer, 'It is said to be a secret: leave the value to the user')
      }
    }
  },
}

export const placeholder = placeholderRule<McpServer>(
  {
    code: 'SRV-149',
    section: SERVER_JSON,
    why: 'The registry would publish a server of nobody, at an address that is none.',
    bad: '{"name": "example.your-company/weather"}',
    good: '{"name": "com.example/weather"}',
  },
  [
    [['name'], 'your domain, reversed, and the name of the server'],
    [['description'], 'what the server does, in 100 characters'],
    [['remotes', '*', 'url'], 'the address that the server is reached at'],
  ],
)
