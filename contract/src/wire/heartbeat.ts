/**
 * The server writes a comment to an event stream at this interval. A reader that hears nothing for longer doubts its
 * connection.
 */
export const heartbeatMs = 6_000
