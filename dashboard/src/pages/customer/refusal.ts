// Why the service did not write usage, as a sentence.
const sentences: Record<string, string> = {
  duplicate_event: 'An event with this key has been recorded before; nothing was counted again.',
  limit_reached: 'amount does not fit within the limit; nothing was recorded.',
  no_access: 'The customer has no access to this feature; nothing was recorded.',
  below_zero: 'amount would bring the usage below zero; nothing was recorded.',
}

export const writeRefusal = (reason: string | undefined): string =>
  sentences[reason ?? ''] ?? 'Nothing was recorded.'
