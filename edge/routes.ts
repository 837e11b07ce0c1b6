import { ROUTES as A2A } from './a2a/routes.ts'
import type { Route } from './access/route.ts'
import { ROUTES as AGENTS } from './agents/routes.ts'
import { ROUTES as API } from './api/routes.ts'
import { ROUTES as GATEWAY } from './gateway/routes.ts'
import { ROUTES as OPERATOR } from './operator/routes.ts'
import { ROUTES as REGISTRY } from './registry/routes.ts'
import { ROUTES as RUNS } from './runs/routes.ts'
import { ROUTES as WELL_KNOWN } from './wellknown/routes.ts'

/** All routes of the Worker. openapi.yaml describes each of them. */
export const ROUTES: readonly Route[] = [
  ...A2A,
  ...AGENTS,
  ...API,
  ...GATEWAY,
  ...OPERATOR,
  ...REGISTRY,
  ...RUNS,
  ...WELL_KNOWN,
]
