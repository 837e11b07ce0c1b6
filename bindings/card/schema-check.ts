// Written by scripts/schema.mjs from schema.json; do not edit.

import { isObject, type JsonObject } from '../document/members.ts'
import { isDateTime } from '../schema/formats.ts'

const PATTERN_1 = /^agent:\/\//
const PATTERN_2 = /^[A-Za-z0-9_-]{85}[AQgw]$/

function array1(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
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
      case 'description':
        if (typeof value !== 'string') return false
        break
      case 'input_schema':
        if (!isObject(value)) return false
        break
      case 'output_schema':
        if (!isObject(value)) return false
        break
      case 'streaming':
        if (typeof value !== 'boolean') return false
        break
      case 'idempotent':
        if (typeof value !== 'boolean') return false
        break
    }
  }
  return found === 1
}

function array3(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object2(value)) return false
  }
  return true
}

function array4(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object5(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'protocol':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'uri':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'methods':
        if (!Array.isArray(value) || !array4(value)) return false
        break
      case 'auth':
        if (typeof value !== 'string') return false
        break
      case 'priority':
        if (typeof value !== 'number' || !Number.isInteger(value)) return false
        break
    }
  }
  return found === 2
}

function array6(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (!isObject(value) || !object5(value)) return false
  }
  return true
}

function array7(array: readonly unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    if (typeof value !== 'string') return false
  }
  return true
}

function object8(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'max_concurrent_tasks':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return false
        break
      case 'max_input_tokens':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return false
        break
      case 'supported_languages':
        if (!Array.isArray(value) || !array7(value)) return false
        break
      case 'rate_limit':
        if (typeof value !== 'string') return false
        break
    }
  }
  return true
}

function object9(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'created_at':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'updated_at':
        if (typeof value !== 'string' || !isDateTime(value)) return false
        break
      case 'ttl':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return false
        break
    }
  }
  return true
}

function object10(object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name]
    switch (name) {
      default:
        if (!isObject(value)) return false
    }
  }
  return true
}

function object11(object: JsonObject): boolean {
  let found = 0
  for (const name in object) {
    const value = object[name]
    switch (name) {
      case 'id':
        if (typeof value !== 'string' || !PATTERN_1.test(value)) return false
        found++
        break
      case 'name':
        if (typeof value !== 'string' || value.length < 1) return false
        found++
        break
      case 'description':
        if (typeof value !== 'string') return false
        break
      case 'version':
        if (typeof value !== 'string') return false
        break
      case 'skills':
        if (!Array.isArray(value) || !array1(value)) return false
        break
      case 'tools':
        if (!Array.isArray(value) || !array3(value)) return false
        break
      case 'endpoints':
        if (!Array.isArray(value) || !array6(value)) return false
        break
      case 'constraints':
        if (!isObject(value) || !object8(value)) return false
        break
      case 'did':
        if (typeof value !== 'string') return false
        break
      case 'metadata':
        if (!isObject(value) || !object9(value)) return false
        break
      case 'extensions':
        if (!isObject(value) || !object10(value)) return false
        break
      case 'seq':
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 18446744073709552000)
          return false
        break
      case 'signature':
        if (typeof value !== 'string' || !PATTERN_2.test(value)) return false
        break
    }
  }
  return found === 2
}

/**
 * Whether a document has the shape that the schema demands. It asks no name
 * whether it is the object's own: where all objects have enumerable members the answer is no, and explain.ts looks closer.
 */
export function matchesSchema(document: JsonObject): boolean {
  for (const _ in EMPTY) return false
  return object11(document)
}

const EMPTY = {}
