// PostgreSQL's own messages, kept in a file that never grows beyond two megabytes, the newest problem at hand for error texts.
import * as fs from 'node:fs'

export type ServerLog = {
  write(text: string): void
  /** The latest line that says why PostgreSQL gave up. */
  findProblem(): string | undefined
  close(): void
}

const maxBytes = 1_000_000

// Whoever knocks too early is told of "the database system", which is no reason for anything.
const problemIn = /(?:FATAL|PANIC): +(?! |the database system is )(.+)$/

export function openServerLog(path: string): ServerLog {
  let file = open(path)
  let size = file === undefined ? 0 : fs.fstatSync(file).size
  let problem: string | undefined
  let rest = ''

  function rotate(): void {
    if (file !== undefined) fs.closeSync(file)
    fs.renameSync(path, `${path}.1`)
    file = open(path)
    size = 0
  }

  function write(text: string): void {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-2_000)
    for (const line of lines) problem = problemIn.exec(line)?.[1] ?? problem
    try {
      if (size > maxBytes) rotate()
      if (file !== undefined) size += fs.writeSync(file, text)
    } catch {
      // A full disk must not take the service down for the sake of its log.
    }
  }

  return {
    write,
    findProblem: () => problem,
    close() {
      if (file !== undefined) fs.closeSync(file)
      file = undefined
    },
  }
}

/** Never through a link: as root we may be writing in a folder of somebody else's. */
function open(path: string): number | undefined {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = fs.constants
  for (const attempt of ['keep', 'replace']) {
    try {
      if (attempt === 'replace') fs.rmSync(path, { force: true })
      return fs.openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
    } catch {}
  }
  return undefined
}
