/** The protocol version of metadata, invitations and messages that Blazon writes. */
export const PROTOCOL = 'ADP/1.1'
