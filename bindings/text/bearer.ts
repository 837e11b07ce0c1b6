/** True for a text that a header can carry as a bearer token: up to 4,096 visible ASCII characters. */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text)
}
