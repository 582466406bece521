// Builds the dashboard into dashboard/dist when its sources or what it is made of have changed, and else does nothing.
// Plain JavaScript, because any Node from 18 on may be running it; the build itself runs on the one from npm.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dashboard = join(root, 'dashboard')
const dist = join(dashboard, 'dist')
// The types that are taken from the SDK leave nothing in what is built.
const inputs = ['index.html', 'package.json', 'src', 'public', 'scripts/vite-settings.mjs']
const smallestCompressed = 1024

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)))
}

function computeHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const path of inputs.flatMap((input) => listFiles(join(dashboard, input))).sort()) {
    hash.update(`\n${relative(dashboard, path).replaceAll('\\', '/')}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

const marker = join(dist, '.hash')
const isBuilt = (hash) => existsSync(marker) && readFileSync(marker, 'utf8') === hash

/** Compressed once here, so that the service reads and sends and compresses nothing. */
async function compressFiles(folder) {
  for (const path of listFiles(folder).filter((file) => /\.(js|css|svg|json|txt)$/.test(file))) {
    const content = readFileSync(path)
    if (content.length < smallestCompressed) continue
    const parameters = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params: parameters }))
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

/** Built beside and put in place whole: whoever serves it sees the old one or the new one. */
async function build(hash) {
  const { build: runVite } = await import('vite')
  const { viteSettings } = await import('../dashboard/scripts/vite-settings.mjs')
  const fresh = join(dashboard, `dist.${randomUUID()}.dist`)
  try {
    await runVite({
      ...viteSettings,
      logLevel: 'warn',
      build: { ...viteSettings.build, outDir: fresh, emptyOutDir: true },
    })
    await compressFiles(fresh)
    writeFileSync(join(fresh, '.hash'), hash)
    replaceFolder(fresh, dist)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function replaceFolder(fresh, place) {
  const old = `${fresh}.old`
  if (existsSync(place)) renameSync(place, old)
  try {
    renameSync(fresh, place)
  } catch (error) {
    // Another build was put there in between, of the same sources: it serves as well.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  rmSync(old, { recursive: true, force: true })
}

function runOnOwnNode() {
  const { status } = spawnSync(ownNode, [fileURLToPath(import.meta.url)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

async function run(hash) {
  const startedAt = Date.now()
  console.log('Building the dashboard …')
  await build(hash)
  console.log(`Built ${relative(root, dist)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

const ownNode = join(root, 'node_modules', '.bin', 'node')
const isOld = Number(process.versions.node.split('.')[0]) < 22
const hash = computeHash()
if (!isBuilt(hash)) {
  if (isOld && existsSync(ownNode)) runOnOwnNode()
  else await run(hash)
}
