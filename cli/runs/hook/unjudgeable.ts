/** A call that cannot be judged, and so is denied. The message is the reason. */
export class Unjudgeable extends Error {}
