// HTML that cannot be broken out of: values put into the template are escaped unless they are themselves such HTML.

export type Html = { readonly markup: string }
type Value = string | number | Html | Html[] | undefined

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function toMarkup(value: Value): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(toMarkup).join('')
  if (typeof value === 'object') return value.markup
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: parts.map((part, index) => part + toMarkup(values[index])).join('') }
}
