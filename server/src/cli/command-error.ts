// What is expected to go wrong while a command does its work, in a sentence: exit code 1.
export class CommandError extends Error {}
