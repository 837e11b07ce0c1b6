// Faults that cannot change an answer: the file, the source line, what the fault makes of it, and why.
export const EQUIVALENT = []
