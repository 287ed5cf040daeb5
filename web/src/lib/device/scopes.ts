/**
 * The addresses that open without a line, each with all below it: a registration of the worker for each, because they
 * have no other beginning in common than the whole origin, which an old worker of the desk had (SHELL-002).
 */
export const scopes = ['/orders', '/pick', '/wall', '/today', '/hand-over']
