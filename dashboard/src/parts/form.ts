// The values of a form, and what is wrong with them in the service's own sentence, at the field that it names.
import { useState } from 'react'

export type Form<Values> = {
  values: Values
  /** Properties of an input: `<TextInput label="Name" {...form.field('name')} />`. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): {
    value: Values[Name]
    onChange(next: Values[Name] | { currentTarget: unknown } | null): void
    error?: string
  }
  set(part: Partial<Values>): void
  reset(): void
  /** What is wrong and belongs to no field. */
  problem: string | undefined
  fail(error: Error): void
  clear(): void
}

type Problem = { sentence: string; field: string | undefined }

export function useForm<Values extends Record<string, unknown>>(initial: Values): Form<Values> {
  const [values, setValues] = useState(initial)
  const [problem, setProblem] = useState<Problem>()
  const set = (part: Partial<Values>) => {
    setValues((before) => ({ ...before, ...part }))
    setProblem(undefined)
  }
  return {
    values,
    set,
    field: (name) => ({
      value: values[name],
      onChange: (next) => set({ [name]: readChange(next) } as Partial<Values>),
      ...(problem?.field === name ? { error: problem.sentence } : {}),
    }),
    reset: () => {
      setValues(initial)
      setProblem(undefined)
    },
    problem: problem?.field === undefined ? problem?.sentence : undefined,
    fail: (error) =>
      setProblem({ sentence: error.message, field: findField(error.message, Object.keys(initial)) }),
    clear: () => setProblem(undefined),
  }
}

/** Inputs pass an event, Mantine's own the value itself. */
function readChange(next: unknown): unknown {
  if (next === null || typeof next !== 'object' || !('currentTarget' in next)) return next
  const target = next.currentTarget as HTMLInputElement
  return target.type === 'checkbox' ? target.checked : target.value
}

/** The field that a sentence names first; sentences of the service begin with it or have it in their first words. */
function findField(sentence: string, names: string[]): string | undefined {
  const found = names
    .map((name) => ({ name, at: sentence.search(new RegExp(`(?<![\\w-])${name}(?![\\w-])`)) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
  return found[0]?.name
}
