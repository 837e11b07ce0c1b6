// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-190' | 'AL-191' | 'AL-192' | 'AL-193'

const T0 = 'AgentLang, Container'
export const CONTAINER_SIZE = /* @__PURE__ */ finding('container-size', 'AL-190', 'Container too large', T0)
export const CONTAINER_FORM = /* @__PURE__ */ finding('container-form', 'AL-191', 'Archive in another form', T0)
export const CONTAINER_PATH = /* @__PURE__ */ finding('container-path', 'AL-192', 'Unsafe path in an archive', T0)
export const CONTAINER_COLLISION = /* @__PURE__ */ finding('container-collision', 'AL-193', 'Two files at one place', T0)

export const ALL: readonly FindingKind[] = [CONTAINER_SIZE, CONTAINER_FORM, CONTAINER_PATH, CONTAINER_COLLISION]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...CONTAINER_SIZE, why: 'A reader keeps all files of a container in memory, so their number and size are limited.', bad: 'an archive of 10,001 files, or of more than 64 MiB', good: 'an archive of at most 10,000 files and 64 MiB' },
  { ...CONTAINER_FORM, why: 'Two programs can read different files from one ZIP archive with overlapping, hidden or contradicting parts. A container has one form, so that all programs read the same files.', bad: 'a ZIP archive with compressed files, comments, or bytes between its files', good: 'the archive that blazon build writes' },
  { ...CONTAINER_PATH, why: 'A path such as ../.bashrc leaves the folder that the archive is unpacked into. Other paths name a device, or another file, on some systems.', bad: 'context/../../.bashrc', good: 'context/templates/report.md' },
  { ...CONTAINER_COLLISION, why: 'Some systems store both files at one place, so the second replaces the first.', bad: 'context/Notes.md and context/notes.md', good: 'context/notes.md and context/old-notes.md' },
]
