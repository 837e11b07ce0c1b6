/** WebSocket close codes: those of RFC 6455 section 7.4.1, and one of our own. */
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
  /** Our own: the agent opened a newer conversation that replaces this one. */
  replaced: 4000,
} as const
