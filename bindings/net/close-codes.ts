/** The codes with which WebSockets end: those of RFC 6455 section 7.4.1, but for the last one, which is ours. */
export const CLOSE_CODES = {
  normal: 1000,
  protocol: 1002,
  notText: 1003,
  noCode: 1005,
  abnormal: 1006,
  notUtf8: 1007,
  policy: 1008,
  tooLarge: 1009,
  broken: 1011,
  later: 1013,
  /** The agent has begun another conversation, in whose place nothing is said here any more. */
  replaced: 4000,
} as const
