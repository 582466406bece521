// The page of the chat: signing in, the conversation, and beside it what is used and what can be bought.
import { TollkeeperProvider } from '@tollkeeper/sdk/react'
import { createRoot } from 'react-dom/client'
import { Conversation, type Message } from './conversation.tsx'
import { Meter, Plans } from './plans.tsx'

type Session = {
  plans: { key: string; name: string; price: string }[]
  customerId?: string
  access?: object
  held?: string
  messages?: Message[]
}

const session: Session = JSON.parse(document.getElementById('session')?.textContent ?? '{}')

function SignIn() {
  return (
    <form className="sign-in card" method="post" action="/sign-in">
      <h1>Parley</h1>
      <p>A chat about pricing. Sign in with any name: it becomes a customer on the free plan.</p>
      <label>
        Name
        <input name="name" required pattern="[A-Za-z][A-Za-z0-9\-]{0,30}" placeholder="ada" />
      </label>
      <button type="submit">Sign in</button>
    </form>
  )
}

/** With `initialAccess` the first rendering is whole; after that, `refresh()` reads from `url`. */
function App({ plans, customerId, access, held, messages = [] }: Session) {
  if (customerId === undefined) return <SignIn />
  return (
    <TollkeeperProvider url="/api/access" initialAccess={access}>
      <aside>
        <h1>Parley</h1>
        <Meter />
        <Plans plans={plans} held={held} />
        <footer>
          <span>{customerId}</span>
          <form method="post" action="/sign-out">
            <button type="submit" className="quiet">
              Sign out
            </button>
          </form>
        </footer>
      </aside>
      <Conversation before={messages} />
    </TollkeeperProvider>
  )
}

createRoot(document.getElementById('app') as HTMLElement).render(<App {...session} />)
