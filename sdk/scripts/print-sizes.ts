// npm run sizes -w sdk: what each entry weighs in a bundle, minified and gzipped, with all it imports of ours.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { testingOptions } from './bundle-testing.ts'

const source = join(import.meta.dirname, '../src')

for (const entry of ['sdk', 'node', 'react', 'testing']) {
  const { outputFiles } = await build({
    ...(entry === 'testing' ? testingOptions : { bundle: true, format: 'esm', target: 'es2022' }),
    entryPoints: [join(source, `${entry}.ts`)],
    minify: true,
    write: false,
    external: ['react', 'node:*'],
  })
  const [file] = outputFiles
  const minified = file?.contents ?? new Uint8Array()
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(8)
  console.log(
    entry.padEnd(8),
    kilobytes(minified.length),
    'minified',
    kilobytes(gzipSync(minified).length),
    'gzipped',
  )
}
