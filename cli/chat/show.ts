// Shows a message to people. Strangers write it: it cannot control a terminal, and its lines cannot pass for others.
import type { Message } from '../../bindings/agp/message.ts'
import { visible } from '../../bindings/text/hidden.ts'

export function messageLines({ from, type, body }: Message): string {
  const { content, contentType = 'text/plain' } = body
  const marks = [type, contentType].filter((word) => word !== 'chat' && word !== 'text/plain')
  const head = marks.length === 0 ? from : `${from} (${marks.join(', ')})`
  const lines = content
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(visible)
  return `${visible(head)}: ${lines.join('\n    ')}\n`
}
