// What is said of a field in the document: a description, and an example of its value.

/** By a field's name, or by more of its path: `Customer.name`, `createFeature.name`, `anchor.source`. */
export type Notes = Record<string, readonly [description: string, example?: unknown]>
