// What is expected to go wrong when the catalogue's types are pulled, in a sentence.
export class PullError extends Error {}
