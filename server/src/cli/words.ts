// Reads the words of a command line; what is not known is refused by name.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** `atMost` says how many words may stand beside the options. */
export function readWords<const Options extends ParseArgsOptionsConfig>(
  words: string[],
  options: Options,
  atMost = 0,
) {
  const parsed = parse(words, options)
  const extra = parsed.positionals[atMost]
  if (extra !== undefined) throw new UsageError(`There is no use for ${JSON.stringify(extra)} here.`)
  return parsed
}

function parse<const Options extends ParseArgsOptionsConfig>(words: string[], options: Options) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true })
  } catch (error) {
    // Node goes on to explain how options are written; the help does.
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`)
  }
}

/** Options of every command that asks a running service. */
export const remoteOptions = { url: { type: 'string' } } as const

export function readChoice<const Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}, but is ${JSON.stringify(text)}.`)
}
