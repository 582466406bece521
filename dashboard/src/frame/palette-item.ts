// One line of the palette.
export type PaletteItem = {
  key: string
  kind: 'Page' | 'Action' | 'Customer' | 'Product' | 'Feature' | 'Key'
  name: string
  note?: string
  run(): void
}
