// Loaded before a snippet of the README: the package's names lead to its sources.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = join(import.meta.dirname, '../src')

registerHooks({
  resolve(specifier, context, nextResolve) {
    const entry = /^@tollkeeper\/sdk(?:\/(\w+))?$/.exec(specifier)
    if (entry) return nextResolve(pathToFileURL(join(source, `${entry[1] ?? 'sdk'}.ts`)).href, context)
    // A snippet lies in a folder of its own, and has the packages of this one.
    if (/^react/.test(specifier)) return nextResolve(specifier, { ...context, parentURL: import.meta.url })
    return nextResolve(specifier, context)
  },
})
