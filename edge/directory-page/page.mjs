// The script of the directory's page; scripts/page.mjs bundles it. Text from cards is inserted as text, with its hidden
// characters visible, and nothing is loaded from other servers.
import { openOperator } from './operator.mjs'
import { openSearch } from './search.mjs'

openSearch()
openOperator()
