/** The address of a section below docs/, its heading, the title of its page, and its text. */
export type Section = readonly [path: string, heading: string, page: string, text: string]

const MOST_WORDS = 8

/** The sections that have all words, the best first. A heading counts more than the title of its page, and that more than text. */
export function search(sections: readonly Section[], query: string): readonly Section[] {
  const words = query.trim().toLowerCase().split(/\s+/).slice(0, MOST_WORDS)
  const rated = sections.map((section) => ({ section, score: scoreOf(section, words) }))
  return rated
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section)
}

/** 0 if a word is missing. The shorter heading wins between equal sections. */
function scoreOf([, heading, page, text]: Section, words: readonly string[]): number {
  const [title, rest] = [heading.toLowerCase(), text.toLowerCase()]
  const scores = words.map((word) => {
    if (title.includes(word)) return title.startsWith(word) ? 20 : 15
    return page.toLowerCase().includes(word) ? 5 : rest.includes(word) ? 1 : 0
  })
  const whole = title === words.join(' ') ? 100 : 0
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, whole + 40 / (20 + heading.length))
}
