// A command line that makes no sense: shown with the help.
export class UsageError extends Error {}
