/** The same limit as for a file in the editor. A list, or a file with one document per line, may be of any size. */
export const MOST_BYTES = 8 << 20
/** More documents than anybody looks through in a browser; their memory is the reason for a limit. */
export const MOST_DOCUMENTS = 200_000
