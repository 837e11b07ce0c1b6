// Runs the tests of BLAZON_TESTS in their order, and prints where it is: `at FILE`, `failed FILE > TEST`, `passed`.
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import base from '../../../vitest.config.ts'

const order = JSON.parse(process.env.BLAZON_TESTS)
const nameOf = ({ moduleId }) => relative('.', moduleId)

class InOrder extends BaseSequencer {
  async sort(specifications) {
    return specifications.sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))
  }
}

const reporter = {
  onTestModuleStart: (module) => console.log(`at ${nameOf(module)}`),
  onTestCaseResult(test) {
    if (test.result().state === 'failed') console.log(`failed ${nameOf(test.module)} > ${test.fullName}`)
  },
  onTestModuleEnd(module) {
    if (module.state() === 'failed') console.log(`failed ${nameOf(module)}`)
  },
  onTestRunEnd(_, errors) {
    if (errors.length === 0) console.log('passed')
    else console.log(`${/Worker/.test(errors[0].message) ? 'ended' : 'failed'} ${errors[0].message}`)
  },
}

const [project] = base.test.projects
export default {
  root: process.cwd(),
  cacheDir: '.scratch/vite',
  test: {
    ...project.test,
    include: order,
    maxWorkers: 1,
    bail: 1,
    sequence: { sequencer: InOrder },
    reporters: [reporter],
    experimental: { fsModuleCache: true, fsModuleCachePath: '.scratch/modules' },
  },
}
