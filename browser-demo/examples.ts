/** Documents to begin with, by the name that their button carries. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  // RFC 8785 section 3.2.2
  rfc8785: `{
  "numbers": [333333333.33333329, 1E30, 4.50,
              2e-3, 0.000000000000000000000000001],
  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
  "literals": [null, true, false]
}
`,
  duplicate: `{
  "name": "Weather agent",
  "host": "api.example.com",
  "n\\u0061me": "Another agent"
}
`,
  integer: `{
  "id": 9007199254740993,
  "tiny": 1e-400
}
`,
}
