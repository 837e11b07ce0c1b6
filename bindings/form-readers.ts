// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.
import type { FormReaders } from './frame/forms.ts'

export const READERS: FormReaders = {  }
