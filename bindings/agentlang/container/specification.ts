import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { type Rule, rule, severityOf } from '../../frame/subject.ts'
import { readPublicKey } from '../../keys/read.ts'
import { sameBytes } from '../../text/bytes.ts'
import { elements, isObject, member, objectMember, textMember } from '../../text/members.ts'
import { PathSet } from '../../text/safe-path.ts'
import { quoted } from '../../text/words.ts'
import { LOCK_FILE } from '../files.ts'
import { CONTAINER_READING, type Container, MANIFEST, SIGNATURE, signerOf, sourcePath, storedPath } from './archive.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }

export const RULES: readonly Rule<Container>[] = [
  rule(FINDINGS.MANIFEST_FORM, ({ document }, report) => {
    if (!sameBytes(document.bytes, document.canonical)) report('', 'Expected canonical JSON (RFC 8785)')
  }),
  rule(FINDINGS.CONTAINER_FILES, ({ root, files }, report) => {
    if (files === undefined) return report('', 'Expected an archive, found only its manifest')
    if (files.get(SIGNATURE)?.length !== 64) report('', `Expected ${SIGNATURE} with 64 bytes`)
    if (files.has(LOCK_FILE) !== Object.hasOwn(root.value, 'lock_sha256'))
      report('', `Expected lock_sha256 if there is a file ${LOCK_FILE}, and only then`)
    const stored = Array.from(files.keys()).filter((path) => path !== MANIFEST && path !== SIGNATURE)
    const listed = elements(root, 'files', isObject)
    for (let i = 0; i < Math.max(stored.length, listed.length); i++) {
      const path = member(listed[i]?.value, 'path')
      const size = member(listed[i]?.value, 'size')
      const pointer = listed[i]?.pointer ?? '/files'
      const expected = stored[i]
      if (expected === undefined) return report(pointer, 'The archive does not have this file')
      // The lists have one order, so all that follows is another file as well.
      if (path !== expected) return report(pointer, `Expected the file ${quoted(expected)} of the archive`)
      if (size !== files.get(expected)!.length) report(`${pointer}/size`, 'The file has another size')
    }
  }),
  rule(FINDINGS.SEALED_PROMPTS, ({ root, files }, report) => {
    const sources = new PathSet()
    for (const { value, pointer } of elements(root, 'files', isObject)) {
      const path = textMember({ value, pointer }, 'path')?.value
      // Other paths are reported, and may be long.
      if (path === undefined || !files?.has(path)) continue
      if (storedPath(path) !== path) report(pointer, `${quoted(path)} is a prompt, and is not encrypted`)
      else if (Object.hasOwn(value, 'encrypted') !== (sourcePath(path) !== path))
        report(pointer, 'Expected the member encrypted for a file .enc of a prompt, and only there')
      const other = sources.add(sourcePath(path))
      if (other !== undefined) report(pointer, `Its source collides with ${quoted(other)}`)
    }
  }),
  rule(FINDINGS.MANIFEST_SIGNER, ({ root }, report) => {
    const signer = objectMember(root, 'signer')
    const text = textMember(signer, 'public_key')
    if (text === undefined) return
    try {
      const { key_id: id, public_key: key } = signerOf(readPublicKey(text.value))
      if (key !== text.value) report(text.pointer, 'Expected an Ed25519 key as SPKI in base64')
      else if (member(signer?.value, 'key_id') !== id) report('/signer/key_id', `Expected ${id}, the id of the key`)
    } catch (error) {
      report(text.pointer, `Expected a public key: ${(error as Error).message}`)
    }
  }),
]

// Containers of AgentLang as a specification of the frame.

export const containerShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'containers',
  rules: shapeRules(FINDINGS.ALL),
  isExtension: () => false,
  adviseOn: () => ({ hint: 'build the container again: a manifest has no other members' }),
}

export const CONTAINER: Specification<Container> = {
  ...CONTAINER_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: containerShape(), value: root.value, pointer: '' }],
  listener: (_, findings, { ruleset, rules }) => ({
    undefinedMember(pointer, name, _place, remarks) {
      const severity = severityOf(FINDINGS.MANIFEST_MEMBER, ruleset, rules)
      findings.add(FINDINGS.MANIFEST_MEMBER, severity, pointer, `Member ${quoted(name)} is not defined`, remarks)
    },
  }),
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the signature.
  isEditable: () => false,
}
