// Requests with a chosen Host header, which fetch does not allow.
import { request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Asked {
  readonly host?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Objects are sent as JSON. */
  readonly body?: string | object
}

export function ask(address: string, { host, method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        method,
        agent: false,
        headers: {
          ...(host !== undefined && { host }),
          ...(typeof body === 'object' && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => (text += part))
        // The connection was cut in the middle of the response.
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
      },
    )
    sent.on('error', reject)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}
