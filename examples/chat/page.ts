// The page: made of app.tsx, bundled once at the start, with what the server knows already inside, so that nothing flickers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

export async function bundlePage(): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'app.tsx')],
    bundle: true,
    minify: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Here the SDK is used from its sources; in your project it comes from npm, and this line goes.
    conditions: ['@tollkeeper/source'],
  })
  const style = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')
  return { script: outputFiles[0]?.text ?? '', style }
}

export function renderPage(session: object): Response {
  // `<` is written so that nothing in it can end the script.
  const data = JSON.stringify(session).replaceAll('<', '\\u003c')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Parley</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><script src="/app.js" defer></script></head>
<body><div id="app"></div><script id="session" type="application/json">${data}</script></body></html>`
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
