// The entry for tests: a service in memory that decides by the same rules as the real one.
// biome-ignore-all lint/performance/noBarrelFile: this is what the package exports
export { createFakeService, type FakeService } from './fake/fake-service.ts'
