// Bundles the testing entry: the fake and the service's rules go in, the client stays beside it, so that an error thrown by one
// entry is an instance of the class of the other.
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const home = join(import.meta.dirname, '..')
const source = join(home, 'src')

const besideClient: Plugin = {
  name: 'beside-client',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined
      const target = relative(source, resolve(dirname(importer), path))
      if (target.startsWith('..') || target.startsWith(`fake${sep}`)) return undefined
      return { path: `./${target.replaceAll(sep, '/').replace(/\.ts$/, '.js')}`, external: true }
    })
  },
}

export const testingOptions: BuildOptions = {
  entryPoints: [join(source, 'testing.ts')],
  bundle: true,
  format: 'esm',
  target: 'es2023',
  inject: [join(import.meta.dirname, 'old-runtimes.ts')],
  define: { 'Map.groupBy': 'groupIntoMap' },
}

export const bundleTesting = (outfile: string) =>
  build({ ...testingOptions, outfile, plugins: [besideClient], logLevel: 'error' })
