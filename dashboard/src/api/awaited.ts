// What the routes of statistics and of the provider take and answer, for as long as generated.ts does not have them.
type EnvironmentPath = { environment: 'test' | 'live' }

/** By method and path: what a call is made of, and its answer. */
export type AwaitedOperations = {
  'GET /dashboard/api/{environment}/provider': {
    path: EnvironmentPath
    answer: { catalogueImport: { isRunning: boolean } }
  }
}
