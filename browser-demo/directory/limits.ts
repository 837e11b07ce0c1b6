/** The same limit as for a file in the editor. A list, or a file with one document per line, may be of any size. */
export const MOST_BYTES = 8 << 20
/** Bounds the memory of the page; nobody searches more documents in a browser. */
export const MOST_DOCUMENTS = 200_000
