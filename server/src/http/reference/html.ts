// Text into HTML: escaped, and JSON with its parts marked for colour.

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const jsonParts = /(&quot;(?:[^&\\]|&(?!quot;)|\\.)*?&quot;)(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?)/g

export const renderJson = (value: unknown): string =>
  escapeHtml(JSON.stringify(value, null, 2)).replaceAll(
    jsonParts,
    (all, text?: string, colon?: string, word?: string, number?: string) => {
      if (text !== undefined) return `<span class="${colon ? 'key' : 'text'}">${text}</span>${colon ?? ''}`
      return `<span class="value">${word ?? number ?? all}</span>`
    },
  )
