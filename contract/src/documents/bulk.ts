/** The most orders that one bulk call takes (GAP-141). */
export const bulkLimit = 200
