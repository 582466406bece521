// The look in Mantine's terms: one accent, greys with a slight blue, three weights, small radii, no shadows on what lies flat.
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#e8f6f6',
  '#d2ebec',
  '#a6d7d9',
  '#74c2c5',
  '#45adb2',
  '#25979d',
  '#147e85',
  '#0b6b72',
  '#08585e',
  '#04444a',
]

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e4e7ec',
  '#d3d8e0',
  '#b3bac6',
  '#8a93a2',
  '#626c7c',
  '#475060',
  '#2c3440',
  '#171c24',
]

const dark: MantineColorsTuple = [
  '#e3e7ee',
  '#b9c0cc',
  '#929bab',
  '#6c7686',
  '#3c4452',
  '#2a313c',
  '#20262f',
  '#14181f',
  '#0f1217',
  '#0a0c10',
]

const small = { defaultProps: { size: 'sm' } }

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, gray, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '20px', lineHeight: '28px' } } },
  radius: { xs: '3px', sm: '5px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', fw: 500, fz: 13 } },
    TextInput: small,
    PasswordInput: small,
    NumberInput: { defaultProps: { size: 'sm', hideControls: true } },
    Textarea: small,
    Select: { defaultProps: { size: 'sm', comboboxProps: { transitionProps: { duration: 0 } } } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 0 }, offset: 4, position: 'bottom-end' },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 }, fz: 12 } },
    Drawer: {
      defaultProps: {
        position: 'right',
        transitionProps: { duration: 120 },
        overlayProps: { opacity: 0.25 },
      },
    },
    Modal: { defaultProps: { transitionProps: { duration: 120 }, overlayProps: { opacity: 0.25 } } },
  },
})
