// A process that starts the local PostgreSQL of the folder given as argument and keeps it until a signal or a kill;
// it writes one line of JSON: the connection, or the sentence it was refused with.
import { startEmbeddedPostgres } from '../src/embedded-postgres.ts'
import { StartError } from '../src/start-error.ts'

const dataDir = process.argv[2] ?? ''
try {
  const server = await startEmbeddedPostgres({ dataDir, onNotice: (text) => console.error(text) })
  const forever = setInterval(() => {}, 60_000)
  // As the service does: Ctrl-C ends nothing before its requests have ended.
  process.on('SIGINT', () => {})
  process.once('SIGTERM', async () => {
    await server.stop()
    clearInterval(forever)
  })
  console.log(JSON.stringify({ connection: server.connection, version: server.version }))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.log(JSON.stringify({ refused: error.message }))
  process.exitCode = 1
}
