// Written by scripts/schema.mjs from schema.json; do not edit.

import { isObject, type JsonObject } from '../document/members.ts'
import { isDateTime, isEmail, isUri, isUriReference } from '../schema/formats.ts'
import { isExtension } from './shape.ts'

const PATTERN_1 = /^\d+\.\d+\.\d+$/
const PATTERN_2 = /^[a-z][a-z0-9_]*$/

function object1(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'status':
        if (
          typeof value !== 'string' ||
          !(value === 'draft' || value === 'active' || value === 'deprecated' || value === 'retired')
        )
          return false
        found++
        break
      case 'effective_date':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'sunset_date':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'successor':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 1
}

function object2(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'url':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'contact':
        if (typeof value !== 'string' || !isEmail(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 1
}

function object3(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'algorithm':
        if (typeof value !== 'string') return false
        found++
        break
      case 'value':
        if (typeof value !== 'string') return false
        found++
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 2
}

function object4(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'did':
        if (typeof value !== 'string') return false
        break
      case 'public_key':
        if (!isObject(value) || !object3(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array5(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (
      typeof value !== 'string' ||
      !(value === 'function_calling' || value === 'vision' || value === 'code_execution' || value === 'streaming')
    )
      return false
  }
  return true
}

function object6(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'provider':
        if (typeof value !== 'string') return false
        break
      case 'name':
        if (typeof value !== 'string') return false
        break
      case 'version':
        if (typeof value !== 'string') return false
        break
      case 'context_window':
        if (typeof value !== 'number' || value < 1) return false
        break
      case 'temperature':
        if (typeof value !== 'number' || value < 0 || value > 2) return false
        break
      case 'max_tokens':
        if (typeof value !== 'number' || value < 1) return false
        break
      case 'capabilities':
        if (!Array.isArray(value) || !array5(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object7(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'template':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'variables':
        if (!isObject(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 1
}

function object8(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string') return false
        break
      case 'input':
        if (!isObject(value)) return false
        break
      case 'output':
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array9(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object8(value)) return false
  }
  return true
}

function object10(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'openapi_ref':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'operation_id':
        if (typeof value !== 'string') return false
        break
    }
  }
  return true
}

function array11(array: readonly unknown[]): boolean {
  if (array.length < 1) return false
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (
      typeof value !== 'string' ||
      !(
        value === 'pii' ||
        value === 'phi' ||
        value === 'financial' ||
        value === 'credentials' ||
        value === 'intellectual_property' ||
        value === 'regulatory'
      )
    )
      return false
  }
  return true
}

function object12(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'min_days':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'max_days':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'policy_uri':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object13(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'encryption_required':
        if (typeof value !== 'boolean') return false
        break
      case 'anonymization_required':
        if (typeof value !== 'boolean') return false
        break
      case 'cross_border_restricted':
        if (typeof value !== 'boolean') return false
        break
      case 'logging_required':
        if (typeof value !== 'boolean') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object14(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'sensitivity':
        if (
          typeof value !== 'string' ||
          !(value === 'public' || value === 'internal' || value === 'confidential' || value === 'restricted')
        )
          return false
        found++
        break
      case 'categories':
        if (!Array.isArray(value) || !array11(value)) return false
        break
      case 'retention':
        if (!isObject(value) || !object12(value)) return false
        break
      case 'handling':
        if (!isObject(value) || !object13(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 1
}

function object15(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string' || !PATTERN_2.test(value)) return false
        found++
        break
      case 'description':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'parameters':
        if (!isObject(value)) return false
        break
      case 'returns':
        if (!isObject(value)) return false
        break
      case 'examples':
        if (!Array.isArray(value) || !array9(value)) return false
        break
      case 'requires_confirmation':
        if (typeof value !== 'boolean') return false
        break
      case 'idempotent':
        if (typeof value !== 'boolean') return false
        break
      case 'read_only':
        if (typeof value !== 'boolean') return false
        break
      case 'annotations':
        if (!isObject(value) || !object10(value)) return false
        break
      case 'data_classification':
        if (!isObject(value) || !object14(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 2
}

function array16(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object15(value)) return false
  }
  return true
}

function array17(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object18(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'type':
        if (
          typeof value !== 'string' ||
          !(
            value === 'vector_store' ||
            value === 'knowledge_base' ||
            value === 'file' ||
            value === 'api' ||
            value === 'database'
          )
        )
          return false
        found++
        break
      case 'description':
        if (typeof value !== 'string') return false
        break
      case 'uri':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'mime_types':
        if (!Array.isArray(value) || !array17(value)) return false
        break
      case 'schema':
        if (!isObject(value)) return false
        break
      case 'annotations':
        if (!isObject(value)) return false
        break
      case 'data_classification':
        if (!isObject(value) || !object14(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 2
}

function array19(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object18(value)) return false
  }
  return true
}

function object20(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'template':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'description':
        if (typeof value !== 'string') return false
        break
      case 'arguments':
        if (!isObject(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 2
}

function array21(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object20(value)) return false
  }
  return true
}

function array22(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function array23(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65535) return false
  }
  return true
}

function object24(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'allowed_hosts':
        if (!Array.isArray(value) || !array22(value)) return false
        break
      case 'allowed_ports':
        if (!Array.isArray(value) || !array23(value)) return false
        break
      case 'allowed_protocols':
        if (!Array.isArray(value) || !array17(value)) return false
        break
      case 'deny_private':
        if (typeof value !== 'boolean') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object25(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'path':
        if (typeof value !== 'string') return false
        found++
        break
      case 'access':
        if (typeof value !== 'string' || !(value === 'read' || value === 'write' || value === 'read_write'))
          return false
        found++
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 2
}

function array26(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object25(value)) return false
  }
  return true
}

function array27(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object28(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'allowed_paths':
        if (!Array.isArray(value) || !array26(value)) return false
        break
      case 'denied_paths':
        if (!Array.isArray(value) || !array27(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array29(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object30(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'allowed_variables':
        if (!Array.isArray(value) || !array29(value)) return false
        break
      case 'denied_variables':
        if (!Array.isArray(value) || !array29(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array31(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object32(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'allowed_commands':
        if (!Array.isArray(value) || !array31(value)) return false
        break
      case 'denied_commands':
        if (!Array.isArray(value) || !array31(value)) return false
        break
      case 'allow_shell':
        if (typeof value !== 'boolean') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object33(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'max_memory_mb':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'max_cpu_percent':
        if (typeof value !== 'number' || value < 0 || value > 100) return false
        break
      case 'max_duration_sec':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'max_concurrent':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object34(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'network':
        if (!isObject(value) || !object24(value)) return false
        break
      case 'filesystem':
        if (!isObject(value) || !object28(value)) return false
        break
      case 'environment':
        if (!isObject(value) || !object30(value)) return false
        break
      case 'execution':
        if (!isObject(value) || !object32(value)) return false
        break
      case 'resource_limits':
        if (!isObject(value) || !object33(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object35(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'type':
        if (
          typeof value !== 'string' ||
          !(value === 'none' || value === 'api_key' || value === 'oauth2' || value === 'oidc' || value === 'mtls')
        )
          return false
        break
      case 'required':
        if (typeof value !== 'boolean') return false
        break
      case 'scopes':
        if (!Array.isArray(value) || !array17(value)) return false
        break
      case 'token_endpoint':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'issuer':
        if (typeof value !== 'string') return false
        break
      case 'audience':
        if (typeof value !== 'string') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object36(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'required':
        if (typeof value !== 'boolean') return false
        break
      case 'min_version':
        if (typeof value !== 'string') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object37(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'required':
        if (typeof value !== 'boolean') return false
        break
      case 'algorithm':
        if (typeof value !== 'string') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object38(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'in_transit':
        if (!isObject(value) || !object36(value)) return false
        break
      case 'at_rest':
        if (!isObject(value) || !object37(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object39(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'algorithm':
        if (typeof value !== 'string') return false
        found++
        break
      case 'value':
        if (typeof value !== 'string') return false
        found++
        break
      case 'signed_content':
        if (typeof value !== 'string' || !(value === 'canonical' || value === 'digest')) return false
        found++
        break
      case 'digest_algorithm':
        if (typeof value !== 'string') return false
        break
      case 'digest_value':
        if (typeof value !== 'string') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 3
}

function object40(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'type':
        if (
          typeof value !== 'string' ||
          !(value === 'self' || value === 'third_party' || value === 'verifiable_credential')
        )
          return false
        break
      case 'issuer':
        if (typeof value !== 'string') return false
        break
      case 'issued_at':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'expires_at':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'signature':
        if (!isObject(value) || !object39(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object41(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'authentication':
        if (!isObject(value) || !object35(value)) return false
        break
      case 'encryption':
        if (!isObject(value) || !object38(value)) return false
        break
      case 'attestation':
        if (!isObject(value) || !object40(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array42(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object43(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'enabled':
        if (typeof value !== 'boolean') return false
        break
      case 'strip_html':
        if (typeof value !== 'boolean') return false
        break
      case 'max_input_length':
        if (typeof value !== 'number' || value < 1) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object44(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'max_input_length':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return false
        break
      case 'content_types':
        if (!Array.isArray(value) || !array42(value)) return false
        break
      case 'sanitization':
        if (!isObject(value) || !object43(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object45(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'max_output_length':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return false
        break
      case 'format':
        if (
          typeof value !== 'string' ||
          !(value === 'text' || value === 'json' || value === 'markdown' || value === 'html')
        )
          return false
        break
      case 'streaming':
        if (typeof value !== 'boolean') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object46(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'max_retries':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'backoff_strategy':
        if (typeof value !== 'string' || !(value === 'fixed' || value === 'exponential' || value === 'linear'))
          return false
        break
      case 'initial_delay_ms':
        if (typeof value !== 'number' || value < 0) return false
        break
      case 'max_delay_ms':
        if (typeof value !== 'number' || value < 0) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object47(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'parallel':
        if (typeof value !== 'boolean') return false
        break
      case 'max_concurrent':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return false
        break
      case 'timeout_ms':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return false
        break
      case 'retry_policy':
        if (!isObject(value) || !object46(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object48(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'action':
        if (typeof value !== 'string' || !(value === 'return_error' || value === 'use_default' || value === 'skip'))
          return false
        break
      case 'default':
        break
      case 'message':
        if (typeof value !== 'string') return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object49(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'on_tool_error':
        if (typeof value !== 'string' || !(value === 'abort' || value === 'continue' || value === 'retry')) return false
        break
      case 'max_retries':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return false
        break
      case 'fallback_behavior':
        if (!isObject(value) || !object48(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object50(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'input_handling':
        if (!isObject(value) || !object44(value)) return false
        break
      case 'output_handling':
        if (!isObject(value) || !object45(value)) return false
        break
      case 'tool_invocation':
        if (!isObject(value) || !object47(value)) return false
        break
      case 'error_handling':
        if (!isObject(value) || !object49(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function object51(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'name':
        if (typeof value !== 'string') return false
        break
      case 'email':
        if (typeof value !== 'string' || !isEmail(value)) return false
        break
      case 'url':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array52(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object51(value)) return false
  }
  return true
}

function array53(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object54(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'authors':
        if (!Array.isArray(value) || !array52(value)) return false
        break
      case 'license':
        if (typeof value !== 'string') return false
        break
      case 'documentation':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'repository':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'tags':
        if (!Array.isArray(value) || !array53(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return true
}

function array55(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object56(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'adl_spec':
        if (typeof value !== 'string' || !PATTERN_1.test(value)) return false
        found++
        break
      case '$schema':
        if (typeof value !== 'string' || !isUriReference(value)) return false
        break
      case 'name':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'description':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'version':
        if (typeof value !== 'string' || !PATTERN_1.test(value)) return false
        found++
        break
      case 'lifecycle':
        if (!isObject(value) || !object1(value)) return false
        break
      case 'id':
        if (typeof value !== 'string' || !isUri(value)) return false
        break
      case 'provider':
        if (!isObject(value) || !object2(value)) return false
        break
      case 'cryptographic_identity':
        if (!isObject(value) || !object4(value)) return false
        break
      case 'model':
        if (!isObject(value) || !object6(value)) return false
        break
      case 'system_prompt':
        if (!(!(typeof value !== 'string' || value.length < 1) || !(!isObject(value) || !object7(value)))) return false
        break
      case 'tools':
        if (!Array.isArray(value) || !array16(value)) return false
        break
      case 'resources':
        if (!Array.isArray(value) || !array19(value)) return false
        break
      case 'prompts':
        if (!Array.isArray(value) || !array21(value)) return false
        break
      case 'permissions':
        if (!isObject(value) || !object34(value)) return false
        break
      case 'security':
        if (!isObject(value) || !object41(value)) return false
        break
      case 'data_classification':
        if (!isObject(value) || !object14(value)) return false
        found++
        break
      case 'runtime':
        if (!isObject(value) || !object50(value)) return false
        break
      case 'metadata':
        if (!isObject(value) || !object54(value)) return false
        break
      case 'profiles':
        if (!Array.isArray(value) || !array55(value)) return false
        break
      default:
        if (!isExtension(name)) return false
    }
  }
  return found === 5
}

/**
 * Whether a document has the shape that the schema demands, and no members but its own and extensions. It asks no name
 * whether it is the object's own: where all objects have enumerable members the answer is no, and explain.ts looks closer.
 */
export function matchesSchema(document: JsonObject): boolean {
  for (const _ in EMPTY) return false
  return object56(document)
}

const EMPTY = {}
