// `blazon init FOLDER --kind agentlang`.
import { expect, test } from 'vitest'
import { blazon, type Setting } from './terminal.ts'

const init = (argv: readonly string[], setting?: Setting) => blazon(['init', ...argv, '--kind', 'agentlang'], setting)
const decoder = new TextDecoder()

test('a new agent is valid, and only its placeholders are reported', async () => {
  const { code, stderr, saved } = await init(['coach'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('blazon validate coach lists what is left to fill in')])
  const files = Object.fromEntries([...saved].map(([path, bytes]) => [path, decoder.decode(bytes)]))
  const { stdout } = await blazon(['validate', 'coach', '--format', 'json'], { files })
  const [{ valid, diagnostics }] = JSON.parse(stdout).results
  expect(valid).toBe(true)
  expect(
    diagnostics.map((one: { code: string; source: { pointer: string } }) => [one.code, one.source.pointer]),
  ).toEqual([
    ['AL-125', '/description'],
    ['AL-125', '/developer'],
    ['AL-125', '/sections/0/content'],
  ])
})

test('--developer and --description fill in the agent', async () => {
  const { saved } = await init(['coach', '--developer', 'acme', '--description', 'Answers.'])
  expect(decoder.decode(saved.get('coach/agent.yaml'))).toBe(`name: coach
version: 0.1.0
title: Coach
description: Answers.
developer: acme
tools:
  - name: artifacts
`)
})

test('a folder that exists is left as it is', async () => {
  const { code, saved } = await init(['coach'], { files: { 'coach/agent.yaml': 'name: mine\n' } })
  expect([code, saved.size]).toEqual([2, 0])
})

test('--dry-run writes nothing, and prints both files', async () => {
  const { stdout, saved } = await init(['coach', '--dry-run'])
  expect(stdout).toMatch(/^# agent\.yaml\nname: coach\n(?:.*\n)+# prompt\.yaml\nversion: 2\n/)
  expect(saved.size).toBe(0)
})

test.each([
  ['Läufer & Freunde', 'laufer-freunde'],
  ['東京', 'agent'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('the name of %s is one that files can have', async (title, name) => {
  const { stdout } = await init(['x', '--name', title, '--dry-run'])
  expect(stdout.split('\n')[1]).toBe(`name: ${name}`)
})

test.each([
  [['--schema', 'https://example.com/schema.json'], '--schema is for single files'],
  [['--template', 'tools'], 'takes no key and no template'],
])('%j is refused', async (argv, message) => {
  const { code, stderr } = await init(['coach', ...argv])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('--developer is refused for other kinds', async () => {
  const { code, stderr } = await blazon(['init', '--developer', 'acme'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--developer is for agents of AgentLang')])
})

test.each(['agent init', 'agent'])('blazon %s names the command that writes a new one', async (line) => {
  const { code, stderr } = await blazon(line.split(' '))
  expect([code, stderr]).toEqual([2, expect.stringContaining('blazon init FOLDER --kind agentlang writes a new agent')])
})
