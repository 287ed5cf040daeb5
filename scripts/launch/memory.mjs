/**
 * How the server's process starts, so that it keeps less memory: its young objects have a quarter of the room, and the
 * system's allocator two arenas in place of one for each thread, and gives large buffers back at once. Decision 0102
 * has the figures.
 */
export const SERVER_NODE_ARGS = ['--max-semi-space-size=8']
export const SERVER_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' }
