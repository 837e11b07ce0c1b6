// A page's script that uses the installed package; a bundler makes one classic script of it.
import { canonicalize } from 'blazon'
import { compilePatterns } from 'blazon/core'

globalThis.result = {
  canonical: new TextDecoder().decode(canonicalize('{"b":1.0,"a":2}')),
  matches: compilePatterns('host', ['*.example.com']).test('API.example.com'),
}
