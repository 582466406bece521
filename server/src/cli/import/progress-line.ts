// A line on a terminal that says how far a long command has come; elsewhere nothing is written.

export type ProgressLine = { show(text: string, share?: number): void; clear(): void }

const width = 24
const everyMs = 100

export function openProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} }
  let shownAt = 0
  return {
    show(text, share) {
      const now = Date.now()
      if (now - shownAt < everyMs) return
      shownAt = now
      const full = share === undefined ? 0 : Math.round(Math.min(1, share) * width)
      const bar = share === undefined ? '' : `[${'='.repeat(full)}${' '.repeat(width - full)}] `
      stream.write(`\r${`${bar}${text}`.slice(0, Math.max(20, stream.columns - 1))}\u001b[K`)
    },
    clear: () => {
      stream.write('\r\u001b[K')
    },
  }
}
