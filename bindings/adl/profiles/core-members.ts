/** The members that ADL defines, which profiles must not redefine (ADL 13): members of the document (4.2) ... */
export const CORE_MEMBERS: ReadonlySet<string> = new Set([
  '$schema',
  'adl_spec',
  'name',
  'description',
  'version',
  'lifecycle',
  'id',
  'provider',
  'cryptographic_identity',
  'model',
  'system_prompt',
  'tools',
  'resources',
  'prompts',
  'permissions',
  'security',
  'data_classification',
  'runtime',
  'metadata',
  'profiles',
])

/** ... members of `data_classification`, and values of its `categories` (10.4). */
export const CORE_CLASSIFICATION: ReadonlySet<string> = new Set(['sensitivity', 'categories', 'retention', 'handling'])
export const CORE_CATEGORIES: ReadonlySet<string> = new Set([
  'pii',
  'phi',
  'financial',
  'credentials',
  'intellectual_property',
  'regulatory',
])
