// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AIP-101' | 'AIP-102' | 'AIP-103' | 'AIP-104' | 'AIP-105' | 'AIP-106' | 'AIP-107' | 'AIP-108' | 'AIP-110' | 'AIP-111' | 'AIP-112' | 'AIP-113' | 'AIP-114' | 'AIP-115' | 'AIP-116' | 'AIP-117' | 'AIP-118' | 'AIP-119'

const T0 = 'AIP-1'
const T1 = 'ADP-1 section 7.3'
const T2 = 'warning'
export const AIP_CERTIFICATE = /* @__PURE__ */ finding('aip/certificate', 'AIP-101', 'Not a certificate', T0)
export const AIP_EXTENSION = /* @__PURE__ */ finding('aip/extension', 'AIP-102', 'Malformed extension', T0)
export const AIP_MISSING = /* @__PURE__ */ finding('aip/missing', 'AIP-103', 'Missing extension', T0)
export const AIP_VALUE = /* @__PURE__ */ finding('aip/value', 'AIP-104', 'Invalid value', T0)
export const AIP_LIFETIME = /* @__PURE__ */ finding('aip/lifetime', 'AIP-105', 'Certificate that lives too long', T0)
export const AIP_KEY = /* @__PURE__ */ finding('aip/key', 'AIP-106', 'Key that agents must not use', T0)
export const AIP_ED25519 = /* @__PURE__ */ finding('aip/ed25519', 'AIP-107', 'Ed25519, which AIP-1 does not name', T0, T2)
export const AIP_USAGE = /* @__PURE__ */ finding('aip/usage', 'AIP-108', 'Certificate that is not for an agent', 'RFC 5280 section 4.2.1.3')
export const AIP_FINGERPRINT = /* @__PURE__ */ finding('aip/fingerprint', 'AIP-110', 'Record of another certificate', T1)
export const AIP_UNTRUSTED = /* @__PURE__ */ finding('aip/untrusted', 'AIP-111', 'No trusted authority issued it', T1)
export const AIP_EXPIRED = /* @__PURE__ */ finding('aip/expired', 'AIP-112', 'Certificate that was not valid when the run started', T1)
export const AIP_OUTLIVED = /* @__PURE__ */ finding('aip/outlived', 'AIP-113', 'Run that outlived its certificate', T1, T2)
export const AIP_TENANT = /* @__PURE__ */ finding('aip/tenant', 'AIP-114', 'Certificate of another tenant', 'ADP-1 section 4')
export const AIP_CAPABILITIES = /* @__PURE__ */ finding('aip/capabilities', 'AIP-115', 'Capabilities that the certificate does not grant', T1)
export const AIP_SCOPE = /* @__PURE__ */ finding('aip/scope', 'AIP-116', 'Certificate for another place', T0)
export const AIP_NAMES = /* @__PURE__ */ finding('aip/names', 'AIP-117', 'Capability that names another agent', T0)
export const AIP_UNKNOWN = /* @__PURE__ */ finding('aip/unknown', 'AIP-118', 'Nothing to compare with', T1)
export const AIP_RENEWAL = /* @__PURE__ */ finding('aip/renewal', 'AIP-119', 'Certificate in a stream that does not continue the one before', 'docs/guide/runs.md')

export const ALL: readonly FindingKind[] = []

export const names = (): readonly string[] => [...namesOf(ALL), ...'aip/certificate AIP-101 aip/extension AIP-102 aip/missing AIP-103 aip/value AIP-104 aip/lifetime AIP-105 aip/key AIP-106 aip/ed25519 AIP-107 aip/usage AIP-108 aip/fingerprint AIP-110 aip/untrusted AIP-111 aip/expired AIP-112 aip/outlived AIP-113 aip/tenant AIP-114 aip/capabilities AIP-115 aip/scope AIP-116 aip/names AIP-117 aip/unknown AIP-118 aip/renewal AIP-119'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...AIP_CERTIFICATE, why: 'Without a certificate that can be read, nobody knows which agent it was.', bad: 'a file that was cut off', good: 'the file that the authority issued' },
  { ...AIP_EXTENSION, why: 'Each extension of AIP-1 has one type, in DER. Some authorities write raw text instead, which other programs read in other ways.', bad: 'an Agent-Role whose extension holds the bytes of "researcher"', good: 'an Agent-Role whose extension holds a UTF8String' },
  { ...AIP_MISSING, why: 'AIP-Version, Tenant-ID and Capability-Set say whose agent it is and what it may do. Every certificate of an agent has them.', bad: 'a certificate of a web server', good: 'a certificate with AIP-Version, Tenant-ID and Capability-Set' },
  { ...AIP_VALUE, why: 'The version is 1, texts are not empty, the tenant is a UUID in small letters, and the capabilities are a JSON array of distinct words as in perm:files:read.', bad: 'Tenant-ID: tenant-123', good: 'Tenant-ID: 00000000-0000-4000-8000-000000000123' },
  { ...AIP_LIFETIME, why: 'Certificates of agents are not revoked. They live for 15 minutes at most, so that a stolen key is soon worthless.', bad: 'a certificate for an hour', good: 'blazon aip issue --minutes 15' },
  { ...AIP_KEY, why: 'AIP-1 allows RSA from 2048 bits and ECDSA with P-256 or P-384.', bad: 'an RSA key of 1024 bits', good: 'a P-256 key' },
  { ...AIP_ED25519, why: 'Blazon accepts Ed25519, but AIP-1 names RSA and ECDSA only. Other verifiers may refuse the certificate.', bad: 'a certificate for an Ed25519 key', good: 'a certificate for a P-256 key' },
  { ...AIP_USAGE, why: 'An agent signs with its key. A certificate of an authority could issue others, and a key for encryption may not sign.', bad: 'an agent\'s certificate with CA:TRUE', good: 'a certificate with the key usage digitalSignature' },
  { ...AIP_FINGERPRINT, why: 'The record names the certificate of the agent that wrote it. This one is of another agent, or another of its certificates.', bad: 'the fingerprint of yesterday\'s certificate', good: 'the fingerprint of the certificate that was valid when the run started' },
  { ...AIP_UNTRUSTED, why: 'Anybody can make a certificate. It says something only if an authority that you trust issued it.', bad: 'a certificate that its own holder issued', good: 'a certificate and the authority\'s, as --anchor' },
  { ...AIP_EXPIRED, why: 'The certificate must be valid at started_at, give or take a minute. Whether it is valid now does not matter.', bad: 'a run that started an hour after the certificate expired', good: 'a run that started while it was valid' },
  { ...AIP_OUTLIVED, why: 'A long run needs a new certificate every 15 minutes. The record names only the first one.', bad: 'a run of an hour with one certificate', good: 'a recorder that renews the certificate' },
  { ...AIP_TENANT, why: 'The tenant in the record mirrors that in the certificate. Otherwise the run belongs to someone else.', bad: 'a record of tenant-a with a certificate for tenant-b', good: 'one tenant in both' },
  { ...AIP_CAPABILITIES, why: 'The record claims more than the authority granted.', bad: 'perm:files:write in the record, perm:files:read in the certificate', good: 'a part of what the certificate grants' },
  { ...AIP_SCOPE, why: 'The certificate names the environment and the verifier that it is for.', bad: 'a certificate for staging, checked in production', good: 'a certificate for production' },
  { ...AIP_NAMES, why: 'The capabilities agent and tenant repeat who the agent is. If they name another one, record and certificate do not belong together.', bad: 'agent:analyst in the record of coach', good: 'agent:coach in the record of coach' },
  { ...AIP_UNKNOWN, why: 'A record has the fingerprint of a certificate only. Without the certificate and an authority that you trust, nothing can be said.', bad: 'blazon verify run.json', good: 'blazon verify run.json --certificate agent.pem --anchor authority.pem' },
  { ...AIP_RENEWAL, why: 'A long run renews its certificate for the same key, by the same authority, before the old one expires. Another certificate could be that of another agent.', bad: 'a line of type certificate with the certificate of another key', good: 'a certificate of the same key, issued before the one before expired' },
]
