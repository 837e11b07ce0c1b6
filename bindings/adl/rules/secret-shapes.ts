// Which texts look like credentials. One pass over the characters of a text: runs of those that tokens are made of, and
// only long runs are looked at.

/**
 * Beginnings of tokens and the least length of the whole, from what the issuers document; the list is that of GitHub's
 * "supported secret scanning patterns" and gitleaks' default rules (8.x), the entries with a fixed beginning.
 */
const PREFIXES: readonly (readonly [begin: string, least: number, what: string])[] = [
  ['AKIA', 20, 'an access key of AWS'],
  ['ASIA', 20, 'a temporary access key of AWS'],
  ['AIza', 35, 'an API key of Google'],
  ['GOCSPX-', 30, 'a client secret of Google'],
  ['ya29.', 30, 'an access token of Google'],
  ['ghp_', 36, 'a personal access token of GitHub'],
  ['gho_', 36, 'an OAuth token of GitHub'],
  ['ghu_', 36, 'a user token of GitHub'],
  ['ghs_', 36, 'a server token of GitHub'],
  ['ghr_', 36, 'a refresh token of GitHub'],
  ['github_pat_', 40, 'a personal access token of GitHub'],
  ['glpat-', 26, 'a personal access token of GitLab'],
  ['npm_', 36, 'a token of npm'],
  ['pypi-', 40, 'a token of PyPI'],
  ['xoxb-', 20, 'a bot token of Slack'],
  ['xoxp-', 20, 'a user token of Slack'],
  ['xoxa-', 20, 'a token of Slack'],
  ['xapp-', 20, 'an app token of Slack'],
  ['sk_live_', 24, 'a secret key of Stripe'],
  ['rk_live_', 24, 'a restricted key of Stripe'],
  ['whsec_', 24, 'a webhook secret of Stripe'],
  ['sk-ant-', 24, 'an API key of Anthropic'],
  ['sk-proj-', 24, 'an API key of OpenAI'],
  ['sk-', 40, 'an API key of OpenAI'],
  ['hf_', 30, 'a token of Hugging Face'],
  ['SG.', 50, 'an API key of SendGrid'],
  ['dop_v1_', 60, 'a token of DigitalOcean'],
  ['shpat_', 32, 'an access token of Shopify'],
  ['PMAK-', 40, 'an API key of Postman'],
  ['eyJhbGci', 60, 'a JSON Web Token'],
]

/** No token is shorter. */
const LEAST = 20

/** Bits a character, as Yelp's detect-secrets demands of base64; a text of 24 characters does not reach more. */
const LEAST_ENTROPY = 4.4
/** Beyond, entropy no longer tells a token from data: a picture in base64 is no secret. */
const LONGEST_TOKEN = 256

const isTokenCharacter = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-.') {
  isTokenCharacter[character.charCodeAt(0)] = 1
}

/** What kind of credential a text holds, or undefined. */
export function secretIn(text: string): string | undefined {
  if (text.length < LEAST) return undefined
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    // Past the end there is no number, which is no index.
    if (isTokenCharacter[text.charCodeAt(i)] === 1) continue
    if (i - start >= LEAST) {
      const what = tokenAt(text.slice(start, i))
      if (what !== undefined) return what
    }
    start = i + 1
  }
  if (text.includes('PRIVATE KEY-----')) return 'a private key'
  return text.includes('@') && /:\/\/[^\s/:@]{1,64}:[^\s/:@]{1,64}@/.test(text) ? 'a password in a URI' : undefined
}

function tokenAt(run: string): string | undefined {
  for (const [begin, least, what] of PREFIXES) if (run.length >= least && run.startsWith(begin)) return what
  return run.split(/[/.]/).some(isRandom) ? 'a random text, as keys and passwords are' : undefined
}

/** Whether a text is of all kinds of characters, each rarely: no word and no name is. */
function isRandom(text: string): boolean {
  if (text.length < 24 || text.length > LONGEST_TOKEN) return false
  if (!/[A-Z]/.test(text) || !/[a-z]/.test(text) || !/\d.*\d/.test(text)) return false
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits >= LEAST_ENTROPY
}
