// Starts the dashboard in its page.
import '@mantine/core/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './theme.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(<App />)
