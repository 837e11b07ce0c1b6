// The domain of an agent, as a command line names it.
import { readAgentDomain } from '../../bindings/discover/trust/domain.ts'
import { UsageError } from '../usage.ts'

/** Both forms of a domain, for letters of two scripts may look alike. */
export function bothForms(domain: string): string {
  const { ascii, unicode } = readAgentDomain(domain)
  return ascii === unicode ? ascii : `${ascii}, written ${unicode}`
}

/** The domain that a command line names, in ASCII. */
export function domainOf(text: string): string {
  try {
    return readAgentDomain(text).ascii
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${text} is no domain`, 'as in blazon discover alice.example.com')
  }
}
