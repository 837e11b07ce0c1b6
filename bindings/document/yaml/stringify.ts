import { stringify } from 'yaml'

/** A value of JSON as YAML. */
export function toYaml(value: object): string {
  return stringify(value, { lineWidth: 100 })
}
