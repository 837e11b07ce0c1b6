import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isUri } from '../../schema/formats.ts'
import { isSpdxExpression, nearestSpdx } from '../../tables/index.ts'
import { elements, isText, textMember } from '../../text/members.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { LICENSE, TAG } from '../findings.ts'

export const license: Rule<Agent> = {
  ...LICENSE,
  check({ document, metadata }, report) {
    const license = textMember(metadata, 'license')
    if (license === undefined || isSpdxExpression(license.value) || isUri(license.value)) return
    const nearest = nearestSpdx(license.value)
    const detail = `${quoted(license.value)} is neither an SPDX identifier nor a URI`
    const fix = nearest === undefined ? OWN_LICENSE : () => replaceText(document, license.pointer, nearest)
    report(license.pointer, detail, { fix })
  },
}

const OWN_LICENSE = { hint: 'a license that SPDX does not list is a URI, or LicenseRef- and a name' }

export const tags: Rule<Agent> = {
  ...TAG,
  check({ document, metadata }, report) {
    for (const { pointer, value } of elements(metadata, 'tags', isText)) {
      if (/^[a-z0-9-]+$/.test(value)) continue
      const meant = snakeCase(value).replaceAll('_', '-')
      const fix = /^[a-z0-9-]+$/.test(meant) ? { fix: () => replaceText(document, pointer, meant) } : {}
      report(pointer, `${quoted(value)} has other characters than lowercase letters, digits and hyphens`, fix)
    }
  },
}
