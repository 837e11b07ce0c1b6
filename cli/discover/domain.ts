// Reads the domain of an agent from the command line.
import { readAgentDomain } from '../../bindings/discover/trust/domain.ts'
import { UsageError } from '../usage.ts'

/** Shows both forms of a domain, because letters of two scripts may look alike. */
export function bothForms(domain: string): string {
  const { ascii, unicode } = readAgentDomain(domain)
  return ascii === unicode ? ascii : `${ascii}, written ${unicode}`
}

/** Reads a domain, and returns it in ASCII. */
export function domainOf(text: string): string {
  try {
    return readAgentDomain(text).ascii
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${text} is not a domain`, 'as in blazon discover alice.example.com')
  }
}
