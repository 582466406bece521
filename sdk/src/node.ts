// The entry for Node alone: what needs files and processes.
// biome-ignore-all lint/performance/noBarrelFile: this is what the package exports
export { closeOnExit } from './spool/close-on-exit.ts'
export { createFileSpool } from './spool/file-spool.ts'
