// What axe finds serious on a page in a browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

type AxeResult = {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

export async function runAxe(page: Page): Promise<string[]> {
  // Through the debugger, since the page's policy lets nobody else add a script.
  await page.evaluate(readFileSync(axePath, 'utf8'))
  const { violations } = await page.evaluate<AxeResult>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .join(' | ')}`,
    )
}
