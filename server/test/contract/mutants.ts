// Bodies that are wrong in one place each: every field of a schema, down into lists, with every odd value.
import { type Existing, resolve, sample } from './requests.ts'
import type { Schema } from './validator.ts'

/** `isText`: a fault inside a string, which no schema can tell and every route must refuse. */
export type Mutant = { text: string; field: string; isText: boolean }

// JSON as text: some of it cannot be had by writing a value.
const deep = `${'['.repeat(500)}${']'.repeat(500)}`
const oddValues = [
  ...['null', 'true', '7', '-1', '"word"', '[]', '{}', '[null]', '{"a":1}', '""', '0.1234567', '1.5', '-0'],
  ...['9007199254740993', '1e400', '-1e400', '1e15', deep, `"${'k'.repeat(2000)}"`],
  ...['{"__proto__":"x"}', '{"constructor":{"prototype":1}}', '["word","word"]', '"2024-01-01"', '"null"'],
]
const oddTexts = ['"a\\u0000b"', '"\\ud800"', '"a\\udc00b"', '"\\u001b[31m"', '"\\u0085"']

type Body = Record<string, unknown>
type Place = { field: string; schema: Schema; build(value: string): string }

export function listMutants(schema: Schema, existing: Existing): Mutant[] {
  const base = sample(schema, existing, '') as Body
  const mutants = listPlaces(resolve(schema), existing, base).flatMap(({ field, schema: at, build }) => [
    ...oddValues.map((value) => ({ text: build(value), field, isText: false })),
    ...(isPlainText(at) ? oddTexts.map((value) => ({ text: build(value), field, isText: true })) : []),
  ])
  const without = (resolve(schema).required ?? []).map((field) => {
    const { [field]: _gone, ...rest } = base
    return { text: JSON.stringify(rest), field, isText: false }
  })
  const unknown = ['surprise', 'toString', '__proto__'].map((field) => ({
    text: withMember(base, field, '1'),
    field,
    isText: false,
  }))
  return [...mutants, ...without, ...unknown]
}

const isPlainText = (schema: Schema) => [resolve(schema).type].flat().includes('string')

/** Every field of the object, and every field of the objects in its lists. */
function listPlaces(schema: Schema, existing: Existing, base: Body): Place[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, each]): Place[] => {
    const own = { field, schema: each, build: (value: string) => withMember(base, field, value) }
    const items = resolve(each).items
    const nested = items ? resolve(items) : resolve(each)
    if (!nested.properties) return [own]
    const inner = listPlaces(nested, existing, sample(nested, existing, '') as Body).map((place) => ({
      ...place,
      build: (value: string) =>
        withMember(base, field, items ? `[${place.build(value)}]` : place.build(value)),
    }))
    return [own, ...inner]
  })
}

/** Written as text, so that a member may be called anything and hold any JSON. */
function withMember(base: Body, field: string, value: string): string {
  const members = Object.entries(base).filter(([key, each]) => key !== field && each !== undefined)
  const texts = members.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)
  return `{${[...texts, `${JSON.stringify(field)}:${value}`].join()}}`
}
