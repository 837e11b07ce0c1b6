/** For a definition that names no key. */
export const WAYS_TO_A_KEY =
  'blazon sign --embed-key writes the public key into the definition; who knows the public key verifies with blazon verify --key'

/** For a definition that names another key than the one that signs. */
export const WAYS_TO_ONE_KEY =
  'sign with the private half of the key in the definition, or take public_key out and sign with --embed-key, which writes the new one'

/** For a document without a signature that does not look like a definition. */
export const NO_DEFINITION =
  'nothing in it tells what it is, so it was taken for an agent definition: blazon validate FILE says what is missing'
