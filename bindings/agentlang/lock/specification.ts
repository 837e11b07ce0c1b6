// Lockfiles as a specification of the frame.
import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { RootSubject, type Rule } from '../../frame/subject.ts'
import { escapeToken, isText, member, objectOf } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { parseVersion } from '../versions/version.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }

const HASH = '`sha256:` and 64 hexadecimal digits in lower case'

const WORDS: Words = {
  name: 'lockfiles',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
    FINDINGS.NUMBER_RANGE,
  ]),
  byFormat: {},
  grammar: {
    'date-time': 'a time such as 2025-01-29T10:30:00Z',
    [schema.$defs.hash.pattern]: HASH,
    [schema.$defs.file.pattern]: HASH,
  },
  // Unknown members are ignored, so none is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'unknown members are ignored' }),
}

const shape = shapeOnce(schema)

const lockedVersion: Rule<RootSubject> = {
  ...FINDINGS.LOCKED_VERSION,
  check({ root }, report) {
    for (const section of ['tools', 'agents']) {
      for (const [name, entry] of Object.entries(objectOf(member(root.value, section)))) {
        const version = member(objectOf(entry), 'version')
        if (!isText(version) || parseVersion(version) !== undefined) continue
        report(`/${section}/${escapeToken(name)}/version`, `Expected a version such as 1.2.0, found ${quoted(version)}`)
      }
    }
  },
}

export const LOCK: Specification<RootSubject> = {
  kind: 'lock',
  rootObject: FINDINGS.ROOT_OBJECT,
  subject: (document) => new RootSubject(document),
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
  rules: [lockedVersion],
  names: FINDINGS.names,
}
