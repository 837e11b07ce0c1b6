import type { Recorder } from './recorder.ts'

/**
 * A function whose calls are recorded: the arguments before it runs, the result or the error after it.
 *
 * @example
 * const search = recordTool(recorder, 'search', (query: string) => index.find(query))
 */
export function recordTool<Arguments extends unknown[], Result>(
  recorder: Recorder,
  name: string,
  tool: (...args: Arguments) => Result | Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    const step = await recorder.begin({ type: 'tool_call', name, input: args.length === 1 ? args[0] : args })
    let output: Result
    try {
      output = await tool(...args)
    } catch (error) {
      await recorder.end(step, { type: 'error', error })
      throw error
    }
    await recorder.end(step, { type: 'tool_result', output })
    return output
  }
}
