// Elements of the page, and requests to its server.
import { visibleText } from '../../bindings/text/hidden.ts'

export const byId = (id) => document.getElementById(id)

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, visibleText(value))
  made.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)))
  return made
}

/** Runs `work`, and shows its failure in an element; `isWanted` is false once the failure no longer matters. */
export async function showFailure(place, work, isWanted = () => true) {
  place.textContent = ''
  try {
    await work()
  } catch (error) {
    if (isWanted()) place.textContent = visibleText(error.message)
  }
}

/** The body of a JSON response. Throws the detail of a problem. */
export async function request(path, options) {
  const response = await fetch(path, options)
  const body = await response.json()
  if (!response.ok)
    throw new Error(body.detail ?? body.diagnostics?.[0]?.detail ?? `The server answered with ${response.status}.`)
  return body
}

export function post(path, body, headers = {}) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  return request(path, init)
}
