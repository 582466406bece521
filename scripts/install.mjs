// Installs what the lockfile names when it is not installed yet, the right Node included, so that `npm start` and
// `npm test` are all of the set-up. Plain JavaScript, because any Node from 18 on may be running it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const neededNode = 26
const root = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))))
const marker = join(root, 'node_modules', '.tollkeeper-installed')

function computeHash() {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(lockfile).digest('hex')
}

function isInstalled(hash) {
  return existsSync(marker) && readFileSync(marker, 'utf8') === hash
}

// Several starts in one folder: one installs, the others wait for it. The lock cannot lie in node_modules, which
// `npm ci` deletes, so it lies with the temporary files under a name of this folder and user.
const lock = join(
  tmpdir(),
  `tollkeeper-install-${process.getuid?.() ?? 0}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
)

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readHolders(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function tryLock() {
  const mine = `${lock}.${process.pid}`
  rmSync(mine, { force: true })
  writeFileSync(mine, String(process.pid), { flag: 'wx', mode: 0o600 })
  try {
    // Linked, not written: it appears with its holder in it, or not at all.
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    removeDead(mine)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

function removeDead(aside) {
  const holders = readHolders(lock)
  if (holders === undefined || holders.split(' ').map(Number).some(isAlive)) return
  // Moved aside and looked at again: between the two looks another process may have taken the lock.
  rmSync(aside, { force: true })
  renameSync(lock, aside)
  if (readHolders(aside) !== holders) linkSync(aside, lock)
}

async function waitForLock() {
  for (let tries = 1; ; tries += 1) {
    try {
      if (tryLock()) return
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
    }
    if (tries === 2) console.log('Waiting for another installation in this folder …')
    await sleep(200)
  }
}

function runNpm() {
  // Included whatever the environment says, because the marker stands for all of it.
  const parts = ['--include=dev', '--include=optional']
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...parts]
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }
  // Not the Node that may be running this script: it lies in node_modules, which `ci` deletes.
  const own = node && npm && !node.startsWith(join(root, 'node_modules'))
  const child = own
    ? spawn(node, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  // npm goes on when only this script is killed, and until it ends nobody else may begin.
  if (child.pid !== undefined) writeFileSync(lock, `${process.pid} ${child.pid}`)
  return new Promise((resolve) => {
    let stderr = ''
    child.stderr.on('data', (data) => {
      stderr += data
    })
    child.on('error', (error) => resolve(`npm could not be run (${error.message}).`))
    child.on('close', (status) => resolve(status === 0 ? undefined : computeReason(stderr)))
  })
}

/** npm says a lot when it fails; the first line that is not a code is the one to read. */
function computeReason(stderr) {
  const lines = stderr.split('\n').flatMap((line) => /^npm error (.+)/.exec(line)?.[1] ?? [])
  const reason = lines.find((line) => !/^(code|errno|syscall|path|dest) /.test(line)) ?? 'npm gave no reason.'
  const log = lines.find((line) => line.startsWith('A complete log'))
  return log === undefined ? reason : `${reason}\n${log}`
}

/** Makes sure that `node` in npm's scripts is new enough; npm puts node_modules/.bin first on the path. */
function findNodeProblem() {
  const bundled = join(root, 'node_modules', '.bin', 'node')
  if (findMajor(bundled) >= neededNode) return undefined
  // None for this platform, or one that does not run here: then the machine's own has to do.
  rmSync(bundled, { force: true })
  if (findMajor('node') >= neededNode) return undefined
  return `Tollkeeper needs Node ${neededNode} and npm has none that runs on this ${process.platform} ${process.arch}: install Node ${neededNode} or newer and start again.`
}

function findMajor(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

/** Resolves to the sentence that says what went wrong, if anything did. */
async function install(hash) {
  await waitForLock()
  try {
    if (isInstalled(hash)) return undefined
    console.log('Installing dependencies …')
    const reason = await runNpm()
    if (reason !== undefined) return `Installing the dependencies failed: ${reason}`
    const problem = findNodeProblem()
    if (problem === undefined) writeFileSync(marker, hash)
    return problem
  } finally {
    rmSync(lock, { force: true })
  }
}

const hash = computeHash()
const problem = isInstalled(hash) ? undefined : await install(hash)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}
