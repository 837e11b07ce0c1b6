/** What a header may hold as a token: up to 4,096 visible characters of ASCII. */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text)
}
