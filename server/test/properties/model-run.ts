// npm run model: the concurrent model for as long as is wanted. `--minutes` or `--seconds`, and `--seed` to repeat a run;
// every failure is told with the seed of its episode, which `--seed … --episodes 1` runs alone.
import { parseArgs } from 'node:util'
import { startTestService } from '../service.ts'
import { runEpisode } from './concurrent-episode.ts'
import { GaveUp, newTally } from './customer-history.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    episodes: { type: 'string' },
  },
})
const lengthMs =
  values.minutes === undefined ? Number(values.seconds ?? 60) * 1000 : Number(values.minutes) * 60_000
const firstSeed = Number(values.seed ?? Date.now() % 2 ** 31)
const mostEpisodes = Number(values.episodes ?? Number.POSITIVE_INFINITY)
const startedAt = Date.now()
const tally = newTally()
const failed: number[] = []

console.log(`seed ${firstSeed}`)
const service = await startTestService({ instances: 2 })
for (let n = 0; n < mostEpisodes && Date.now() - startedAt < lengthMs; n++) {
  const seed = firstSeed + n
  try {
    await runEpisode(service, seed, tally)
  } catch (error) {
    if (error instanceof GaveUp) continue
    failed.push(seed)
    const after = ((Date.now() - startedAt) / 1000).toFixed(1)
    console.log(`✖ seed ${seed}, after ${after} s and ${tally.calls} calls\n${(error as Error).message}\n`)
  }
}
await service.close()
console.log(JSON.stringify({ ...tally, seconds: (Date.now() - startedAt) / 1000 }))
console.log(failed.length === 0 ? 'no failure' : `${failed.length} episodes failed: ${failed.join(', ')}`)
const gaveUpTooOften = tally.gaveUp > tally.searches / 100
if (gaveUpTooOften) console.log(`${tally.gaveUp} of ${tally.searches} searches gave up`)
process.exitCode = failed.length > 0 || gaveUpTooOften ? 1 : 0
