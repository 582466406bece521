// A small line without axes: how something went, beside the number that says how much.
import classes from './sparkline.module.css'

type Props = {
  values: number[]
  width?: number
  height?: number
  /** What it shows, for screen readers; without it the line is decoration beside its number. */
  label?: string
}

export function Sparkline({ values, width = 96, height = 24, label }: Props) {
  const highest = Math.max(...values, 1)
  const step = values.length > 1 ? width / (values.length - 1) : width
  const points = values.map((value, index) => {
    const y = height - 1.5 - (value / highest) * (height - 3)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  const line = points.join(' ')
  const described = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is named above, or hidden
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      {...described}
    >
      <polygon className={classes.area} points={`0,${height} ${line} ${width},${height}`} />
      <polyline className={classes.line} points={line} />
    </svg>
  )
}
