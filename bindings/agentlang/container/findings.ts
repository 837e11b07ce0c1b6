// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-190' | 'AL-191' | 'AL-192' | 'AL-193' | 'AL-194' | 'AL-195' | 'AL-196' | 'AL-197' | 'AL-198' | 'AL-199' | 'AL-200' | 'AL-201' | 'AL-202' | 'AL-203' | 'AL-214' | 'AL-215' | 'AL-205' | 'AL-206' | 'AL-207' | 'AL-208' | 'AL-218' | 'AL-209' | 'AL-210' | 'AL-211' | 'AL-212' | 'AL-213' | 'AL-204' | 'AL-216' | 'AL-217'

const T0 = 'AgentLang, Container'
const T1 = 'warning'
const T2 = 'docs/design/decisions/agentlang.md'
export const CONTAINER_SIZE = /* @__PURE__ */ finding('container-size', 'AL-190', 'Container too large', T0)
export const CONTAINER_FORM = /* @__PURE__ */ finding('container-form', 'AL-191', 'Archive in another form', T0)
export const CONTAINER_PATH = /* @__PURE__ */ finding('container-path', 'AL-192', 'Unsafe path in an archive', T0)
export const CONTAINER_COLLISION = /* @__PURE__ */ finding('container-collision', 'AL-193', 'Two files at one place', T0)
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'AL-194', 'Manifest is not a JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'AL-195', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'AL-196', 'Invalid member type', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'AL-197', 'Malformed value', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'AL-198', 'Unknown value', T0)
export const MANIFEST_MEMBER = /* @__PURE__ */ finding('manifest-member', 'AL-199', 'Undefined member', T0)
export const MANIFEST_FORM = /* @__PURE__ */ finding('manifest-form', 'AL-200', 'Manifest is not canonical', 'RFC 8785')
export const CONTAINER_FILES = /* @__PURE__ */ finding('container-files', 'AL-201', 'Manifest and archive have other files', T0)
export const SEALED_PROMPTS = /* @__PURE__ */ finding('sealed-prompts', 'AL-202', 'Prompt without encryption', T0)
export const MANIFEST_SIGNER = /* @__PURE__ */ finding('manifest-signer', 'AL-203', 'Unusable key', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'AL-214', 'Number out of range', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'AL-215', 'Empty value', T0)
export const CONTAINER_SIGNATURE = /* @__PURE__ */ finding('container-signature', 'AL-205', 'Signature does not match', T0)
export const SIGNER_UNKNOWN = /* @__PURE__ */ finding('signer-unknown', 'AL-206', 'Unknown signer', T0, T1)
export const SIGNER_OTHER = /* @__PURE__ */ finding('signer-other', 'AL-207', 'Another signer', T0)
export const CONTAINER_AGENT = /* @__PURE__ */ finding('container-agent', 'AL-208', 'Another agent or version', T0)
export const CONTAINER_OTHER_SOURCE = /* @__PURE__ */ finding('container-other-source', 'AL-218', 'Manifest of another agent', T0)
export const CONTAINER_DIGEST = /* @__PURE__ */ finding('container-digest', 'AL-209', 'File was changed', T0)
export const CONTAINER_LOCK = /* @__PURE__ */ finding('container-lock', 'AL-210', 'Lock of another build', 'AgentLang, Build Output')
export const CONTAINER_DECRYPTION = /* @__PURE__ */ finding('container-decryption', 'AL-211', 'Prompt cannot be decrypted', T0)
export const CONTAINER_DOWNGRADE = /* @__PURE__ */ finding('container-downgrade', 'AL-212', 'Older than a version that was seen', T2)
export const CONTAINER_SECRET = /* @__PURE__ */ finding('container-secret', 'AL-213', 'Another secret', T0, T1)
export const CONTAINER_SOURCE = /* @__PURE__ */ finding('container-source', 'AL-204', 'Agent that no container can hold', T2)
export const CONTAINER_REBUILD = /* @__PURE__ */ finding('container-rebuild', 'AL-216', 'Container of another source', 'AgentLang, Why AgentLang')
export const PROMPT_REVIEW = /* @__PURE__ */ finding('prompt-review', 'AL-217', 'Prompts without a sufficient review', 'AgentLang, CLI Reference')

export const ALL: readonly FindingKind[] = [CONTAINER_SIZE, CONTAINER_FORM, CONTAINER_PATH, CONTAINER_COLLISION, ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, VALUE_PATTERN, ENUM_VALUE, MANIFEST_MEMBER, MANIFEST_FORM, CONTAINER_FILES, SEALED_PROMPTS, MANIFEST_SIGNER, NUMBER_RANGE, EMPTY_VALUE]

export const names = (): readonly string[] => [...namesOf(ALL), ...'container-signature AL-205 signer-unknown AL-206 signer-other AL-207 container-agent AL-208 container-other-source AL-218 container-digest AL-209 container-lock AL-210 container-decryption AL-211 container-downgrade AL-212 container-secret AL-213 container-source AL-204 container-rebuild AL-216 prompt-review AL-217'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CONTAINER_SIZE, why: 'A reader keeps all files of a container in memory, so their number and size are limited.', bad: 'an archive of 10,001 files, or of more than 64 MiB', good: 'an archive of at most 10,000 files and 64 MiB' },
  { ...CONTAINER_FORM, why: 'Two programs can read different files from one ZIP archive with overlapping, hidden or contradicting parts. A container has one form, so that all programs read the same files.', bad: 'a ZIP archive with compressed files, comments, or bytes between its files', good: 'the archive that blazon build writes' },
  { ...CONTAINER_PATH, why: 'A path such as ../.bashrc leaves the folder that the archive is unpacked into. Other paths name a device, or another file, on some systems.', bad: 'context/../../.bashrc', good: 'context/templates/report.md' },
  { ...CONTAINER_COLLISION, why: 'Some systems store both files at one place, so the second replaces the first.', bad: 'context/Notes.md and context/notes.md', good: 'context/notes.md and context/old-notes.md' },
  { ...ROOT_OBJECT, why: 'A manifest is one JSON object. Anything else names no files.', bad: '[]', good: '{"format": "agentlang-container/1"}' },
  { ...MISSING_MEMBER, why: 'Readers need the agent, its developer, the files and the key that signed them.', bad: '{"format": "agentlang-container/1"}', good: '{"format": "agentlang-container/1", "name": "coach", "version": "1.0.0", "developer": "acme", "files": [], "signer": {}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"files": "agent.yaml"}', good: '{"files": []}' },
  { ...VALUE_PATTERN, why: 'Names and versions become names of files and addresses. Digests and keys have one spelling.', bad: '{"name": "../coach", "version": "1"}', good: '{"name": "coach", "version": "1.0.0"}' },
  { ...ENUM_VALUE, why: 'The format and the algorithms are fixed. A container of another format has other rules.', bad: '{"format": "zip"}', good: '{"format": "agentlang-container/1"}' },
  { ...MANIFEST_MEMBER, why: 'One key signs several kinds of documents. A manifest with members of another kind could pass for one.', bad: '{"format": "agentlang-container/1", "adl_spec": "0.1.0"}', good: '{"format": "agentlang-container/1"}' },
  { ...MANIFEST_FORM, why: 'The signature covers the bytes of the manifest, which have one form. Other bytes come from another program.', bad: '{ "name": "coach" }', good: '{"name":"coach"}' },
  { ...CONTAINER_FILES, why: 'Only files that the manifest lists are signed. A file that it leaves out can be anything.', bad: 'an archive with agent.yaml and extra.sh, and a manifest that lists agent.yaml', good: 'an archive with agent.yaml, and a manifest that lists it' },
  { ...SEALED_PROMPTS, why: 'A container encrypts prompt.yaml and all *-prompt.yaml, and nothing else, so that every reader finds them.', bad: '{"files": [{"path": "prompt.yaml"}]}', good: '{"files": [{"path": "prompt.yaml.enc", "encrypted": {"alg": "AES-256-GCM", "key_id": "4c2f6a01"}}]}' },
  { ...MANIFEST_SIGNER, why: 'The key verifies the signature, and its id is what people compare. With some keys, everybody can sign.', bad: 'a key_id that is not the beginning of the SHA-256 of public_key', good: 'the signer that blazon build writes' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"files": [{"size": -1}]}', good: '{"files": [{"size": 0}]}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"files": [{"path": ""}]}', good: '{"files": [{"path": "agent.yaml"}]}' },
  { ...CONTAINER_SIGNATURE, why: 'Someone changed the manifest after it was signed, or signed it with another key.', bad: 'a signature.sig of another version of the agent', good: 'the signature.sig that was made for this manifest.json' },
  { ...SIGNER_UNKNOWN, why: 'Anyone can put a key and a name into a container and sign it. Who signed it shows only a key that you have from the developer.', bad: 'blazon verify coach@1.0.0.agent', good: 'blazon verify coach@1.0.0.agent --key acme.pub' },
  { ...SIGNER_OTHER, why: 'The container is signed, but not with a key that you trust for this developer.', bad: 'a container of acme that is signed with the key of someone else', good: 'a container of acme that is signed with the key of acme' },
  { ...CONTAINER_AGENT, why: 'The signature is right, and the agent or version is another one than was asked for.', bad: 'coach@1.0.1 was asked for, and coach@1.0.0 arrived', good: 'coach@1.0.1 was asked for, and arrived' },
  { ...CONTAINER_OTHER_SOURCE, why: 'Runtimes read the agent from agent.yaml, and people compare the names in the manifest. With two names, one container passes for two agents.', bad: 'a manifest of acme coach@1.0.0, whose agent.yaml is of mallory', good: 'a manifest and an agent.yaml of acme coach@1.0.0' },
  { ...CONTAINER_DIGEST, why: 'The file is not the one whose digest was signed.', bad: 'an agent.yaml that was edited in the archive', good: 'the agent.yaml that was signed' },
  { ...CONTAINER_LOCK, why: 'agent.lock lists the files of a build. With another lock, tools and models are not those that the developer tested.', bad: 'an agent.lock that lists another agent.yaml', good: 'the agent.lock that was made in the same build' },
  { ...CONTAINER_DECRYPTION, why: 'The bytes were not encrypted for this path of this version, or agent.lock lists another prompt.', bad: 'the encrypted prompt of another version', good: 'the encrypted prompt of this version' },
  { ...CONTAINER_DOWNGRADE, why: 'An attacker can offer an old version, rightly signed, whose faults are known.', bad: 'coach@1.0.0 after coach@1.1.0', good: 'coach@1.1.1 after coach@1.1.0' },
  { ...CONTAINER_SECRET, why: 'The prompts are encrypted with another secret than the one that was given, so they cannot be judged.', bad: 'the secret of another developer', good: 'the secret whose id is in the manifest' },
  { ...CONTAINER_SOURCE, why: 'A container has at most 64 MiB, and makes some of its files itself. Its manifest limits names and versions.', bad: 'context/prompt.yaml.enc, which a container makes from context/prompt.yaml', good: 'context/prompt.yaml' },
  { ...CONTAINER_REBUILD, why: 'The same source gives the same container. This one was built from other files, or with another index or secret.', bad: 'a container with a prompt that the folder does not have', good: 'the container that blazon agent build makes of the folder' },
  { ...PROMPT_REVIEW, why: 'build --quality with a reviewer builds only what it rates high enough. A missing or malformed answer is not a review.', bad: '{"score": 0.4, "notes": ["prompt.yaml asks for short answers, and for complete ones"]}', good: '{"score": 0.9, "notes": []}' },
]
