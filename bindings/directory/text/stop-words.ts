/**
 * English words that occur in most descriptions and queries and do not distinguish agents, and the letters that
 * apostrophes split off. The list is short on purpose: common words have little weight anyway. The list keeps these
 * from being searched at all.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could d did do does ' +
    'during each for from had has have having he her here his how i if in into is it its just ll m may me might more ' +
    'most must my no nor not of off on once only or other our over own re s same shall she should so some such t than that ' +
    'the their them then there these they this those through to too under until up us ve very was we were what when ' +
    'where which while who whom whose why will with would you your'
  ).split(' '),
)
