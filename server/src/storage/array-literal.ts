// Arrays for `unnest`, written as PostgreSQL's literals: cheaper than letting the driver convert element by element.

/** Of numbers, uuids, booleans and decimals, which need no escaping; undefined is null. */
export const plainArray = (values: readonly (string | number | boolean | undefined)[]): string =>
  `{${values.map((value) => value ?? 'null').join()}}`

export const textArray = (values: readonly (string | undefined)[]): string =>
  `{${values.map((value) => (value === undefined ? 'null' : `"${value.replaceAll(/[\\"]/g, '\\$&')}"`)).join()}}`
