// Reports a failed test at once. The default reporter reports at the end, which an interrupted run never reaches.

const MOST_CHARACTERS = 4000

export default class FailingReporter {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    console.error(`FAILED ${test.module.relativeModuleId} > ${test.fullName}`)
    for (const { message, stack = message, diff = '', cause } of errors) {
      console.error(`${stack.slice(0, MOST_CHARACTERS)}\n${diff.slice(0, MOST_CHARACTERS)}\n`)
      if (cause !== undefined) console.error(`because: ${cause.code ?? ''} ${cause.message}\n`)
    }
  }
}
