// Counters, gauges and histograms, and their text for Prometheus. Observing one costs a few additions: labels are resolved
// beforehand, where a series is made, and nothing is allocated afterwards.

export type Labels = Record<string, string | number>

export type Counter = { add(count: number): void }

export type Histogram = { observe(value: number): void }

/** What a gauge shows when it is asked: one value per set of labels. */
export type Reading = readonly [labels: Labels, value: number]

type Family = { name: string; help: string; kind: 'counter' | 'gauge' | 'histogram'; lines(): string[] }

export type Registry = {
  counter(name: string, help: string): (labels?: Labels) => Counter
  histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Histogram
  gauge(name: string, help: string, read: () => Reading[]): void
  /** For what is counted elsewhere and only ever rises. */
  total(name: string, help: string, read: () => Reading[]): void
  write(): string
}

export function createRegistry(): Registry {
  const families: Family[] = []

  function counter(name: string, help: string) {
    const series = new Map<string, { count: number }>()
    const lines = () => [...series].map(([labels, { count }]) => `${name}${labels} ${count}`)
    families.push({ name, help, kind: 'counter', lines })
    return (labels: Labels = {}): Counter => {
      const own = series.getOrInsertComputed(writeLabels(labels), () => ({ count: 0 }))
      return {
        add: (count) => {
          own.count += count
        },
      }
    }
  }

  function histogram(name: string, help: string, bounds: readonly number[]) {
    const series = new Map<string, Buckets>()
    const lines = () => [...series.values()].flatMap((buckets) => writeBuckets(name, bounds, buckets))
    families.push({ name, help, kind: 'histogram', lines })
    return (labels: Labels = {}): Histogram => {
      const make = () => ({ labels, counts: new Float64Array(bounds.length + 1), sum: 0 })
      const own = series.getOrInsertComputed(writeLabels(labels), make)
      return {
        observe: (value) => {
          let at = 0
          while (at < bounds.length && value > (bounds[at] as number)) at++
          own.counts[at] = (own.counts[at] as number) + 1
          own.sum += value
        },
      }
    }
  }

  const readings = (kind: 'gauge' | 'counter') => (name: string, help: string, read: () => Reading[]) => {
    const lines = () => read().map(([labels, value]) => `${name}${writeLabels(labels)} ${value}`)
    families.push({ name, help, kind, lines })
  }

  const write = () =>
    `${families
      .flatMap(({ name, help, kind, lines }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...lines(),
      ])
      .join('\n')}\n`

  return { counter, histogram, gauge: readings('gauge'), total: readings('counter'), write }
}

type Buckets = { labels: Labels; counts: Float64Array; sum: number }

function writeBuckets(name: string, bounds: readonly number[], { labels, counts, sum }: Buckets): string[] {
  let count = 0
  const buckets = [...counts].map((each, at) => {
    count += each
    return `${name}_bucket${writeLabels({ ...labels, le: bounds[at] ?? '+Inf' })} ${count}`
  })
  return [
    ...buckets,
    `${name}_sum${writeLabels(labels)} ${sum}`,
    `${name}_count${writeLabels(labels)} ${count}`,
  ]
}

function writeLabels(labels: Labels): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
  return texts.length > 0 ? `{${texts.join()}}` : ''
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
