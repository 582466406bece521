// What routes take and answer that generated.ts does not have yet, in the same form.
export type AwaitedOperations = Record<never, never>
