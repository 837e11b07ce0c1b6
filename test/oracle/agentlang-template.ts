// A slow template engine: it replaces the innermost condition first, one at a time, and inserts values last. Only for
// templates without faults, and without values that contain tags.

type Data = Readonly<Record<string, unknown>>

export function renderSlowly(template: string, data: Data): string {
  let text = template
  const innermost = /\{\{if ([^\s}]+)\}\}((?:(?!\{\{(?:if |end\}\})).)*)\{\{end\}\}/s
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text)) {
    const [whenTrue, whenFalse = ''] = found[2]!.split('{{else}}')
    const value = find(data, found[1]!)
    const isEmpty = [undefined, null, false, 0, ''].includes(value as string) || ['[]', '{}'].includes(json(value))
    text = text.slice(0, found.index) + (isEmpty ? whenFalse : whenTrue) + text.slice(found.index + found[0].length)
  }
  return text.replace(/\{\{(.*?)\}\}/g, (_, expression: string) => {
    const value = find(data, expression)
    return typeof value === 'string' ? value : json(value)
  })
}

const json = (value: unknown) => JSON.stringify(value) ?? ''

function find(data: Data, expression: string): unknown {
  const steps = expression.replace(/^\./, '').replaceAll('[', '.').replaceAll(']', '').split('.')
  return steps.reduce<unknown>((value, step) => (value as Data | undefined)?.[step], data)
}
