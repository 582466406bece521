// The colours of what is drawn side by side.
const colours = [
  'var(--accent)',
  'var(--violet)',
  'var(--amber)',
  '#3b82d6',
  '#d2528f',
  '#5a9c4b',
  '#c96a35',
  '#8f7a2e',
]

const leftOver = '#8a93a2'

/** By its place, unless it has one of its own; what is left over is grey. */
export const colourOf = ({ key, colour }: { key: string; colour?: string }, index: number): string =>
  colour ?? (key === 'other' ? leftOver : (colours[index % colours.length] as string))
