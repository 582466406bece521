// prepack: emits JavaScript and declarations into dist; the testing entry is a bundle with the service's rules in it.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { bundleTesting } from './bundle-testing.ts'

const home = join(import.meta.dirname, '..')
const dist = join(home, 'dist')
const emitted = mkdtempSync(join(tmpdir(), 'tollkeeper-sdk-'))

try {
  const options = ['-p', join(home, 'tsconfig.pack.json'), '--outDir', emitted]
  execFileSync('tsc', options, { stdio: 'inherit', shell: process.platform === 'win32' })
  rmSync(dist, { recursive: true, force: true })
  // Of the fake only what the testing entry's own types speak of: the rest is in the bundle, and nobody's to import.
  const isOurs = (path: string) =>
    basename(dirname(path)) !== 'fake' || basename(path) === 'fake-service.d.ts'
  cpSync(join(emitted, 'sdk/src'), dist, { recursive: true, filter: isOurs })
  for (const path of globSync('**/*.d.ts', { cwd: dist })) nameJavaScript(join(dist, path))
  await bundleTesting(join(dist, 'testing.js'))
} finally {
  rmSync(emitted, { recursive: true, force: true })
}

/** Declarations keep the names of the sources, which are not in the package; not every tool finds its way from those. */
function nameJavaScript(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(?<=from '\.[^']*)\.ts(?=')/g, '.js'))
}
