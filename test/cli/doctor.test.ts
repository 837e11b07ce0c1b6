import { expect, test } from 'vitest'
import { ALGORITHMS } from '../../bindings/keys/key.ts'
import { blazon, type Setting } from './terminal.ts'

const doctor = async (setting: Setting = {}) => {
  const { code, stdout } = await blazon(['doctor', '--format', 'json'], setting)
  const [{ valid, doctor }] = JSON.parse(stdout).results
  const rows = doctor as readonly { name: string; outcome: string; detail: string; hint?: string }[]
  const row = (name: string) => rows.find((check) => check.name === name)!
  return { code, valid, rows, row }
}

test('writes a line for each check of a good host, and tests every algorithm', async () => {
  const { code, stdout, stderr } = await blazon(['doctor'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^ok {7}Runtime: Node 20\.19\.0 on linux x64, with blazon \d/)
  for (const algorithm of Object.keys(ALGORITHMS)) {
    expect(stdout).toContain(`ok       ${algorithm}: makes keys, signs and verifies\n`)
  }
  const { valid, rows } = await doctor()
  expect([valid, rows.length]).toEqual([true, stdout.trimEnd().split('\n').length])
})

test('shows the configuration in use, and an invalid one', async () => {
  const files = { 'blazon.config.json': '{"ruleset": "strict"}' }
  expect((await doctor({ files })).row('configuration')).toMatchObject({
    outcome: 'ok',
    detail: '/home/me/blazon.config.json',
  })
  const wrong = await doctor({ files: { 'blazon.config.json': '{"ruleset": "stern"}' } })
  expect([wrong.code, wrong.valid, wrong.row('configuration').outcome]).toEqual([1, false, 'problem'])
})

test.each([
  ['runtime', { runtime: { version: '20.18.3' } }, 'problem'],
  ['runtime', { runtime: { version: '18.20.0' } }, 'problem'],
  ['runtime', { runtime: { version: '24.0.0' } }, 'ok'],
  ['runtime', { runtime: { name: 'Bun', version: '1.3.0' } }, 'ok'],
  ['dns', { runtime: { nameServers: [] } }, 'limited'],
  ['tls', { runtime: { leastTls: 'TLSv1.1' } }, 'problem'],
  ['tls', { runtime: { leastTls: 'TLSv1.3' } }, 'ok'],
  ['certificates', { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }, 'problem'],
  ['certificates', { env: { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' } }, 'ok'],
] as const)('%s of %j is %s', async (name, setting, outcome) => {
  const { code, row } = await doctor(setting)
  expect([code, row(name).outcome]).toEqual([outcome === 'problem' ? 1 : 0, outcome])
  if (outcome !== 'ok') expect(row(name).hint).toBeTruthy()
})

test('a host without an address guard is limited', async () => {
  const { code, row } = await doctor()
  expect([code, row('addresses').outcome]).toEqual([0, 'limited'])
  const fetch = Object.assign(() => Promise.reject(new Error('nothing is fetched')), { checksAddresses: true })
  expect((await doctor({ fetch })).row('addresses').outcome).toBe('ok')
})

test('takes no argument', async () => {
  expect((await blazon(['doctor', 'a.json'])).code).toBe(2)
})
