/** On an event stream the server writes a comment this often; a reader that hears nothing for longer doubts its line. */
export const heartbeatMs = 6_000
