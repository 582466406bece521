// A day and hour in the viewer's zone, as the browser's own field gives it.
import { TextInput, type TextInputProps } from '@mantine/core'

export function DateTimeInput(props: TextInputProps) {
  return <TextInput type="datetime-local" {...props} />
}

/** Unix ms of what is in the field; undefined when it is empty. */
export function readDateTime(text: string): number | undefined {
  const at = new Date(text).getTime()
  return text === '' || Number.isNaN(at) ? undefined : at
}

export function writeDateTime(at: number | undefined): string {
  if (at === undefined) return ''
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
