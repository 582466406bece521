// What the pages for readers have in common: a bar on top, contents at the side, and scripts and styles as files of our own.
import { escapeHtml } from './html.ts'

export type Frame = {
  title: string
  styles: string[]
  scripts: string[]
  /** HTML, as are the other parts. */
  header: string
  contents: string
  main: string
}

export const renderFrame = ({
  title,
  styles,
  scripts,
  header,
  contents,
  main,
}: Frame): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('')}${scripts.map((path) => `<script src="${path}" defer></script>`).join('')}</head><body>
<header>${header}</header>
<nav aria-label="Contents">
${contents}</nav>
<main>${main}
</main></body></html>`
