// A command line that makes no sense: said in a sentence with the way to the help, exit code 2.
export class UsageError extends Error {}
