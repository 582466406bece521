// The frame of the hosted pages: one column, readable in light and dark, without scripts or anything loaded from elsewhere.
import { createHash } from 'node:crypto'
import { formatCard, testCards } from '../customers/cards.ts'
import { type Html, html } from './html.ts'

const css = `
:root{color-scheme:light dark;--text:#1a2030;--muted:#5b6478;--line:#d9dee8;--edge:#7d879c;--page:#f4f6fa;--card:#fff;--accent:#3b4fd8;--on:#fff;--bad:#b3261e;--bad-bg:#fdeceb;--ok:#156c3a;--ok-bg:#e6f5ec}
@media(prefers-color-scheme:dark){:root{--text:#e8ebf3;--muted:#a3acc0;--line:#384056;--edge:#77819b;--page:#11141d;--card:#1a1f2c;--accent:#8d9bff;--on:#11141d;--bad:#ffb4ab;--bad-bg:#3b1512;--ok:#7ddba0;--ok-bg:#10301d}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
.banner{background:var(--accent);color:var(--on);text-align:center;padding:.4rem 1rem;font-size:.875rem}
main{max-width:30rem;margin:2rem auto;padding:0 1rem}
main.wide{max-width:64rem}
.wide form{display:inline}
.wide button{width:auto;margin:.15rem .3rem .15rem 0;padding:.3rem .7rem}
.wide table{font-size:.875rem}
.wide td{vertical-align:top;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.5rem;margin-bottom:1.25rem}
h1{font-size:1.1rem;margin:0 0 .25rem;color:var(--muted);font-weight:500}
main>h1{margin-bottom:.75rem}
h2{font-size:1.1rem;margin:0 0 .5rem}
.amount{font-size:2rem;font-weight:650;margin:0;letter-spacing:-.02em}
.amount small{font-size:1rem;font-weight:400;color:var(--muted);letter-spacing:0}
.muted{color:var(--muted);margin:.25rem 0}
dl{display:grid;grid-template-columns:1fr auto;gap:.35rem .75rem;margin:1rem 0 0;border-top:1px solid var(--line);padding-top:1rem}
dd{margin:0;text-align:right}
label{display:block;font-weight:550;margin:.9rem 0 .3rem}
input,select{width:100%;font:inherit;color:inherit;background:var(--page);border:1px solid var(--edge);border-radius:9px;padding:.65rem .75rem}
::placeholder{color:var(--muted);opacity:1}
input[aria-invalid=true]{border-color:var(--bad)}
.row{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
button{width:100%;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:9px;padding:.7rem 1rem;margin-top:1.1rem;cursor:pointer}
button.plain{color:var(--text);background:transparent;border-color:var(--edge)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.note{border-radius:9px;padding:.7rem .9rem;margin:0 0 1rem}
.bad{background:var(--bad-bg);color:var(--bad)}
.ok{background:var(--ok-bg);color:var(--ok)}
details{font-size:.9rem}
summary{cursor:pointer;color:var(--muted)}
table{border-collapse:collapse;width:100%;margin-top:.5rem}
td,th{text-align:left;padding:.25rem .5rem .25rem 0;font-weight:400}
td:first-child{font-variant-numeric:tabular-nums;white-space:nowrap}
.badge{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:0 .6rem;font-size:.85rem;font-weight:400}
@media(max-width:26rem){main{margin:1.25rem auto;padding:0 .75rem}.card{padding:1.1rem}.amount{font-size:1.6rem}thead{display:none}tr,td{display:block}tr{padding:.3rem 0}td{padding:0}td+td{color:var(--muted)}}
`

/** No `form-action`: browsers apply it to the redirect after paying too, which leads to the seller's own address. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function layout(title: string, content: Html, width: 'narrow' | 'wide' = 'narrow'): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: css }}</style>
</head>
<body>
<div class="banner">Provider simulator: no real money moves here</div>
<main class="${width}">${content}</main>
</body>
</html>
`.markup
}

export function note(message: string | undefined, kind: 'bad' | 'ok'): Html {
  if (message === undefined) return html``
  return html`<p class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${message}</p>`
}

/** The fields of a card; only the number decides anything, the rest is there because people expect it. */
export function cardFields(error: string | undefined): Html {
  const invalid = error === undefined ? html`` : html`aria-invalid="true"`
  return html`
<label for="card-number">Card number</label>
<input id="card-number" name="card_number" inputmode="numeric" autocomplete="off" required maxlength="30"
  placeholder="4242 4242 4242 4242" aria-describedby="test-cards" ${invalid}>
<div class="row">
<div><label for="expiry">Expiry</label><input id="expiry" name="expiry" autocomplete="off" value="12 / 34" maxlength="9"></div>
<div><label for="cvc">CVC</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" value="123" maxlength="4"></div>
</div>`
}

export function cardHints(): Html {
  const rows = testCards.map(
    (card) => html`<tr><td>${formatCard(card.number)}</td><td>${card.meaning}</td></tr>`,
  )
  return html`<details id="test-cards" class="card" open><summary>Test cards</summary>
<table><thead><tr><th scope="col">Number</th><th scope="col">What it does</th></tr></thead><tbody>${rows}</tbody></table>
</details>`
}
