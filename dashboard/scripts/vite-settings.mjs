// How Vite builds and serves the dashboard. Plain JavaScript, because the build is run by whatever Node starts it.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @type {import('vite').InlineConfig} */
export const viteSettings = {
  root,
  configFile: false,
  plugins: [react()],
  build: {
    target: 'es2023',
    // Scripts and pictures written into the page would break its content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
}
