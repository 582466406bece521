// A chat that sells tokens, in one small server: who is signed in, what an answer costs, and the way to a bigger plan.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tollkeeper } from '@tollkeeper/sdk'
import { complete, countTokens, type ModelName } from './model.ts'
import { bundlePage, renderPage } from './page.ts'
import { answerWithJson, listen, redirectTo } from './serve.ts'
import { setUp } from './set-up.ts'

const { TOLLKEEPER_API_KEY, TOLLKEEPER_URL, DATA_DIR = '.tollkeeper', PORT = '4200' } = process.env
const tk = new Tollkeeper({
  // `npm start` keeps its test key beside the data; yours comes from the environment.
  apiKey: TOLLKEEPER_API_KEY ?? readFileSync(join(DATA_DIR, 'test-key'), 'utf8').trim(),
  baseUrl: TOLLKEEPER_URL ?? 'http://localhost:4100',
})
const plans = await setUp(tk)
const assets = await bundlePage()

type Message = { from: 'you' | 'model'; text: string; tokens?: number }

// In memory, to keep the example small. Whose session it is, only this server says.
const sessions = new Map<string, string>()
const conversations = new Map<string, Message[]>()

const findCustomer = (request: Request): string | undefined =>
  sessions.get(/(?:^|; )chat-session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '')

/** Lets the page read the access of who is signed in, and of nobody else. The API key never leaves this process. */
const answerAccess = tk.handler({ identify: findCustomer })

async function showPage(request: Request): Promise<Response> {
  const customerId = findCustomer(request)
  if (customerId === undefined) return renderPage({ plans })
  const [access, customer] = await Promise.all([tk.access(customerId), tk.customers.get(customerId)])
  const held = customer?.products.find(({ key }) => plans.some((plan) => plan.key === key))?.key
  return renderPage({ plans, customerId, access, held, messages: conversations.get(customerId) ?? [] })
}

async function signIn(request: Request): Promise<Response> {
  const customerId = String((await request.formData()).get('name'))
    .trim()
    .toLowerCase()
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(customerId)) return redirectTo('/')
  // Made at the first sign-in and as it is at every other: there is nothing to keep in step.
  await tk.customers.ensure({ customerId, name: customerId })
  const session = crypto.randomUUID()
  sessions.set(session, customerId)
  return redirectTo('/', { 'set-cookie': `chat-session=${session}; HttpOnly; SameSite=Lax; Path=/` })
}

async function chat(request: Request, customerId: string): Promise<Response> {
  const { text, model } = (await request.json()) as { text: string; model: ModelName }
  if (typeof text !== 'string' || text.trim() === '' || text.length > 2_000)
    return answerWithJson(400, { error: 'A message has 1 to 2,000 characters.' })
  // The page hides the large model from who may not use it; this is what keeps it from them.
  if (model === 'large' && !(await tk.check(customerId, 'large_model')).allowed)
    return answerWithJson(403, { error: 'The large model is part of Pro.' })

  // Before the work: of any number of open tabs, only as many as fit get through. How long the answer will be nobody knows yet, so
  // the question alone is reserved, and the last answer may go over the limit. Who must never go over reserves the most it can cost.
  const { allowed, eventId } = await tk.consume(customerId, 'chat_tokens', countTokens(text), {
    metadata: { model },
  })
  if (!allowed || eventId === undefined) return answerWithJson(402, { error: 'Too few tokens are left.' })
  try {
    const answer = await complete(text, model)
    // Afterwards: the same event is corrected to what it was.
    await tk.usage.amend(eventId, { amount: answer.tokens })
    const messages: Message[] = [
      { from: 'you', text },
      { from: 'model', ...answer },
    ]
    conversations.set(customerId, [...(conversations.get(customerId) ?? []), ...messages].slice(-100))
    return answerWithJson(200, { messages })
  } catch (error) {
    // Nobody pays for an answer that did not come.
    await tk.usage.delete(eventId)
    throw error
  }
}

async function choosePlan(request: Request, customerId: string): Promise<Response> {
  const productKey = String((await request.formData()).get('plan'))
  const back = new URL('/', request.url).href
  // One call for both: it sells to who has no subscription, and leads who has one to the page that confirms the change.
  const { url } = await tk.checkout(customerId, { productKey, successUrl: back, cancelUrl: back })
  return redirectTo(url)
}

/** Cards, invoices, cancelling: the payment provider's own pages. */
async function manageBilling(request: Request, customerId: string): Promise<Response> {
  const { url } = await tk.portal(customerId, { returnUrl: new URL('/', request.url).href })
  return redirectTo(url)
}

const forCustomer =
  (handle: (request: Request, customerId: string) => Promise<Response>) => async (request: Request) => {
    const customerId = findCustomer(request)
    return customerId === undefined
      ? answerWithJson(401, { error: 'Sign in first.' })
      : handle(request, customerId)
  }

const address = await listen(Number(PORT), {
  'GET /': showPage,
  'GET /app.js': () => new Response(assets.script, { headers: { 'content-type': 'text/javascript' } }),
  'GET /style.css': () => new Response(assets.style, { headers: { 'content-type': 'text/css' } }),
  'GET /api/access': answerAccess,
  'POST /api/chat': forCustomer(chat),
  'POST /sign-in': signIn,
  'POST /sign-out': () => redirectTo('/', { 'set-cookie': 'chat-session=; Max-Age=0; Path=/' }),
  'POST /plan': forCustomer(choosePlan),
  'POST /billing': forCustomer(manageBilling),
})
console.log(`The chat is at ${address}`)
