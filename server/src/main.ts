// npm start: configuration, database, migrations, test key, listener; then a clean end on a signal.
import { start } from './cli/start.ts'

await start(process.env)
