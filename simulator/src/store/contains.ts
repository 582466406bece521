// JSON containment as PostgreSQL's `@>` has it, so that the store in memory filters lists exactly as a database does.

export function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((wanted) => whole.some((item) => contains(item, wanted)))
  }
  if (typeof part === 'object' && part !== null) {
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false
    return Object.entries(part).every(
      ([field, wanted]) =>
        Object.hasOwn(whole, field) && contains((whole as Record<string, unknown>)[field], wanted),
    )
  }
  return whole === part
}
