// Rules for inputs of users, and for placeholder texts of the template.
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { ARGUMENT_FORM, PLACEHOLDER, SECRET_VALUE } from '../findings.ts'
import { argumentsOf, inputsOf, type McpServer } from '../server.ts'

export const argumentForm: Rule<McpServer> = {
  ...ARGUMENT_FORM,
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
  ...SECRET_VALUE,
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

export const placeholder = placeholderRule<McpServer>(PLACEHOLDER, [
  [['name'], 'your domain, reversed, and the name of the server'],
  [['description'], 'what the server does, in 100 characters'],
  [['remotes', '*', 'url'], 'the address that the server is reached at'],
])
