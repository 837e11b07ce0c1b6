/**
 * Checks the reports on random documents for properties that every report has (`flaw`), and sets the exit code.
 * Arguments: the number of documents (default 100000) and a seed (default: from the clock).
 */
export function soakReports(flaw, mutations, documents) {
  const [count = '100000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
  console.log(`seed ${seed}`)
  const next = mutations(documents, Number(seed))
  const start = performance.now()
  let wrong = 0
  for (let i = 1; i <= Number(count); i++) {
    const bytes = next()
    const found = flaw(bytes)
    if (found !== undefined && wrong++ < 10) console.error(`${found}\n  ${new TextDecoder().decode(bytes)}`)
    if (i % 20_000 === 0) console.log(`${i} documents, ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  console.log(`${wrong} reports were not as they should be`)
  process.exitCode = wrong === 0 ? 0 : 1
}
