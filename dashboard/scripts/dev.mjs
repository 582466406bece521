// npm run dashboard:dev: the pages with changes shown at once, over the API of a running service (TOLLKEEPER_URL, else the
// one on this machine).
import { createServer } from 'vite'
import { viteSettings } from './vite-settings.mjs'

const target = process.env.TOLLKEEPER_URL ?? 'http://localhost:4100'
const server = await createServer({
  ...viteSettings,
  server: {
    port: 4180,
    proxy: {
      '/dashboard/api': {
        target,
        changeOrigin: true,
        // The service compares where a write comes from with its own address.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', target)),
      },
    },
  },
})
await server.listen()
server.printUrls()
