import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

describe('tags', () => {
  test('[card/3.6.1-5] list writes the categories, the standard tags and the aliases', async () => {
    const { code, stdout } = await blazon(['tags', 'list'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(code).toBe(0)
    const count = (of: string, column: number) => rows.filter((row) => row[column] === of).length
    expect([count('category', 1), count('example', 2), count('standard', 2), count('alias', 1)]).toEqual([
      8, 17, 53, 22,
    ])
    expect(rows).toContainEqual(['py', 'alias', 'python'])
  })

  test('[card/3.6.1-4] normalize writes the normalized spelling', async () => {
    const { code, stdout } = await blazon(['tags', 'normalize', 'ML', 'ops/Deployment'])
    expect([code, stdout]).toEqual([0, 'ML\tmachine-learning\nops/Deployment\tops/deployment\n'])
  })

  test('suggest writes the standard tag that was probably meant, or nothing', async () => {
    const { code, stdout } = await blazon(['tags', 'suggest', 'pyhton', 'python'])
    expect([code, stdout]).toEqual([0, 'pyhton\tpython\npython\t\n'])
  })

  test('[card/3.6.1-3] match writes the first query that matches the tag; exits 1 for a tag without one', async () => {
    const { code, stdout } = await blazon(['tags', 'match', 'vision', 'nlp', '--', 'nlp/ocr', 'vision', 'audio'])
    expect([code, stdout]).toEqual([1, 'nlp/ocr\tnlp\nvision\tvision\naudio\t\n'])
    expect(await blazon(['tags', 'match', 'ML', '--', 'Machine Learning'])).toMatchObject({ code: 1 })
    const spelled = await blazon(['tags', 'match', 'ML', '--normalize', '--', 'Machine Learning'])
    expect([spelled.code, spelled.stdout]).toEqual([0, 'Machine Learning\tML\n'])
  })

  test.each([
    [['tags'], 'as in blazon tags list'],
    [['tags', 'lits'], 'did you mean list?'],
    [['tags', 'constructor'], 'as in blazon tags list'],
    [['tags', 'normalize'], 'as in blazon tags normalize python'],
    [['tags', 'match', 'a'], 'as in -- python'],
  ])('%j is wrong usage', async (argv, hint) => {
    const { code, stderr } = await blazon(argv)
    expect(code).toBe(2)
    expect(stderr).toContain(hint)
  })

  test('a tag cannot control the terminal', async () => {
    const { stdout } = await blazon(['tags', 'normalize', '\u001b[2J'], { tty: true })
    expect(stdout).not.toContain('\u001b')
  })
})
