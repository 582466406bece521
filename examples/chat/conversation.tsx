// The conversation. Gates decide what is shown; what may be done, the server decides.
import { Gate, useUsage } from '@tollkeeper/sdk/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'

export type Message = { from: 'you' | 'model'; text: string; tokens?: number }

export function Conversation({ before }: { before: Message[] }) {
  const [messages, setMessages] = useState(before)
  const [problem, setProblem] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const { refresh } = useUsage('chat_tokens')
  const end = useRef<HTMLDivElement>(null)
  const count = messages.length
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [count])

  async function send(text: string, model: string): Promise<boolean> {
    const response = await fetch('/api/chat', { method: 'POST', body: JSON.stringify({ text, model }) })
    const { messages: added = [], error } = (await response.json()) as {
      messages?: Message[]
      error?: string
    }
    setMessages((known) => [...known, ...added])
    // Something may be left, but too little for this question: the gate cannot know that, the server does.
    setRefused(response.status === 402)
    setProblem(response.status === 402 ? undefined : error)
    // Something was used: the meter and the gates follow.
    await refresh()
    return response.ok
  }

  return (
    <main>
      <div className="messages" role="log">
        {messages.length === 0 && <p className="welcome">What would you like to know about pricing?</p>}
        {messages.map(({ from, text, tokens }, index) => (
          <p key={index} className={from}>
            {text}
            {tokens !== undefined && <small>{tokens} tokens</small>}
          </p>
        ))}
      </div>
      <div className="next">
        {problem !== undefined && <p role="alert">{problem}</p>}
        <Gate feature="chat_tokens" fallback={<BuyPro why="Your tokens are used up." />}>
          {isRefused ? <BuyPro why="Too few tokens are left." /> : <Composer onSend={send} />}
        </Gate>
      </div>
      <div ref={end} />
    </main>
  )
}

function Composer({ onSend }: { onSend(text: string, model: string): Promise<boolean> }) {
  const [isSending, setSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    setSending(true)
    try {
      const isSent = await onSend(String(fields.get('text')), String(fields.get('model')))
      if (isSent) (form.elements.namedItem('text') as HTMLInputElement).value = ''
    } finally {
      setSending(false)
    }
  }

  return (
    <form className="composer" onSubmit={submit}>
      <input
        name="text"
        aria-label="Message"
        placeholder="Ask something"
        required
        maxLength={2000}
        autoComplete="off"
      />
      <select name="model" aria-label="Model">
        <option value="small">Small model</option>
        <Gate feature="large_model" fallback={<option disabled>Large model (Pro)</option>}>
          <option value="large">Large model</option>
        </Gate>
      </select>
      <button type="submit" disabled={isSending}>
        Send
      </button>
    </form>
  )
}

function BuyPro({ why }: { why: string }) {
  return (
    <form className="buy-pro card" method="post" action="/plan">
      <div>
        <strong>{why}</strong>
        <p className="soft">Pro has 200,000 a month, and the large model.</p>
      </div>
      <button type="submit" name="plan" value="pro">
        Get Pro
      </button>
    </form>
  )
}
