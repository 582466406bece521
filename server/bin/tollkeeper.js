#!/usr/bin/env node
// The installed command. Plain JavaScript for any Node from 18 on: where that is older than the program needs, it is run by the
// Node that npm installed beside it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededNode = 26
const home = dirname(dirname(fileURLToPath(import.meta.url)))
const built = join(home, 'dist/server/src/cli/tollkeeper.js')
const program = existsSync(built) ? built : join(home, 'src/cli/tollkeeper.ts')

/** Of npm's packages, the one for this platform. */
function findNode() {
  const { platform, arch } = process
  const require = createRequire(import.meta.url)
  const system = platform === 'win32' ? 'win' : platform
  for (const name of [`node-bin-${system}-${arch}`, `node-${system}-${arch}`]) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`))
      const found = join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node')
      if (existsSync(found)) return found
    } catch {
      // Not the one for this platform.
    }
  }
  return undefined
}

function runWith(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Node ${neededNode} could not be run: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

if (Number(process.versions.node.split('.')[0]) >= neededNode) await import(`file://${program}`)
else {
  const node = findNode()
  if (node !== undefined) runWith(node)
  else {
    console.error(
      `tollkeeper needs Node ${neededNode} or newer; this is ${process.version}, and npm has none for ${process.platform} ${process.arch}.`,
    )
    process.exitCode = 1
  }
}
