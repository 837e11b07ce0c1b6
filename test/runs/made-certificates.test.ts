import { expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { compareCertificates } from './made-certificates.ts'

// Each way to break a certificate, with P-256, P-384 or RSA; test/soak/certificates.mjs makes 1,000.
test('certificates of @peculiar/x509 read as Node reads them, and verify as OpenSSL verifies them', async () => {
  expect(await compareCertificates(casesOf(110), 1)).toEqual([])
})
