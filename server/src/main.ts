// npm start: configuration, database, migrations, test key, listener; then a clean end on a signal.
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: the next start finds its modules compiled.
enableCompileCache()
const { start } = await import('./cli/start.ts')

await start(process.env)
