/** So many orders one bulk call takes at most (GAP-141). */
export const bulkLimit = 200
