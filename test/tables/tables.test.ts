import { describe, expect, it } from 'vitest'
import {
  isCountry,
  isCurrency,
  isLanguage,
  isRegion,
  isSpdxExpression,
  isSpdxId,
  nearestSpdx,
} from '../../bindings/tables/index.ts'
import { processorTime } from '../support/effort.ts'

/** Facts of the standards' own pages: codes in use, withdrawn, reserved, and texts that are none. */
describe('codes', () => {
  it.each([
    ['currencies', isCurrency, ['EUR', 'USD', 'CHF', 'XAU', 'VED'], ['DEM', 'ITL', 'eur', 'EU', 'EURO', '']],
    ['countries', isCountry, ['DE', 'US', 'GB', 'SS', 'TL'], ['UK', 'EU', 'XK', 'YU', 'de', 'DEU', '']],
    ['regions', isRegion, ['DE', 'EU', 'UK', 'UN'], ['YU', 'SU2', 'EP', 'eu', '']],
    ['languages', isLanguage, ['en', 'de', 'zh', 'ii'], ['EN', 'eng', 'xx', 'tlh', '']],
  ])('%s', (_, check, yes, no) => {
    expect(yes.filter((code) => !check(code))).toEqual([])
    expect(no.filter(check)).toEqual([])
  })

  it.each(['__proto__', 'constructor', 'EUR USD', 'EUR\n', ' '])('%j is no code', (text) => {
    for (const check of [isCurrency, isCountry, isRegion, isLanguage, isSpdxId, isSpdxExpression]) {
      expect(check(text)).toBe(false)
    }
  })
})

describe('licenses', () => {
  it('are identifiers without regard to case (SPDX annex D.2), deprecated ones too', () => {
    expect(['MIT', 'mit', 'Apache-2.0', 'GPL-3.0-only', 'GPL-3.0', 'CC0-1.0', '0BSD'].every(isSpdxId)).toBe(true)
    expect(['MIT License', 'Apache 2.0', 'UNLICENSED', '', 'GPL'].some(isSpdxId)).toBe(false)
  })

  it('are combined as SPDX annex D.3 and D.4 say', () => {
    const yes = [
      'CDDL-1.0+',
      'LicenseRef-23',
      'DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2',
      'LGPL-2.1-only OR MIT OR BSD-3-Clause',
      'LGPL-2.1-only AND MIT AND BSD-2-Clause',
      'GPL-2.0-or-later WITH Bison-exception-2.2',
      'LGPL-2.1-only OR BSD-3-Clause AND MIT',
      'MIT AND (LGPL-2.1-or-later OR BSD-3-Clause)',
      '((MIT))',
    ]
    const no = [
      '',
      '()',
      'MIT OR',
      'OR MIT',
      'MIT MIT',
      'MIT or Apache-2.0',
      '(MIT',
      'MIT)',
      '(MIT) WITH Bison-exception-2.2',
      'MIT WITH',
      'MIT WITH (a)',
      'MIT +',
      'MIT/Apache-2.0',
      'LicenseRef-',
    ]
    expect(yes.filter((text) => !isSpdxExpression(text))).toEqual([])
    expect(no.filter(isSpdxExpression)).toEqual([])
  })

  it.each([
    ['apache-2.0', 'Apache-2.0'],
    ['Apache 2.0', 'Apache-2.0'],
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['MIT License', 'MIT'],
    ['GPLv3.0', 'GPL-3.0'],
    ['BSD 3 clause', 'BSD-3-Clause'],
    ['MPL2.0', 'MPL-2.0'],
    ['CC-BY-4.0 ', 'CC-BY-4.0'],
    ['proprietary', undefined],
    ['', undefined],
  ])('%s most likely means %s', (text, expected) => {
    expect(nearestSpdx(text)).toBe(expected)
  })

  it('ends on hostile texts', () => {
    const begin = processorTime()
    for (const text of [
      '('.repeat(1e6),
      'MIT '.repeat(1e5),
      'v'.repeat(1e6),
      '+'.repeat(1e6),
      `LicenseRef-${'-'.repeat(1e6)}:`,
    ]) {
      expect(isSpdxExpression(text)).toBe(false)
      nearestSpdx(text)
    }
    expect(processorTime() - begin).toBeLessThan(5_000)
  })
})
