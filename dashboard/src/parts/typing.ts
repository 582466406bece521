// Whether a key is meant for a field and not for the page.
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (event.defaultPrevented || !(target instanceof HTMLElement)) return event.defaultPrevented
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return true
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
