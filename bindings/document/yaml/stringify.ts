import { stringify } from 'yaml'

/** A JSON value as YAML. */
export function toYaml(value: object): string {
  return stringify(value, { lineWidth: 100 })
}
