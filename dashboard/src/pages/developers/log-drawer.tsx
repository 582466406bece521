// One request of the live log: what was asked and what was answered, without secrets.
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { formatAmount, formatUtc } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import classes from './developers.module.css'
import { toneOfStatus } from './log-columns.tsx'
import type { LogLine } from './request-log.ts'

export function LogDrawer({ line, onClose }: { line: LogLine | undefined; onClose(): void }) {
  return (
    <Drawer
      opened={line !== undefined}
      onClose={onClose}
      title={line === undefined ? 'Request' : `${line.method} ${line.path.split('?')[0]}`}
      size={600}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {line !== undefined && <Line line={line} />}
    </Drawer>
  )
}

function Line({ line }: { line: LogLine }) {
  const { status, code, at, ms, keyName, keyId, requestId, body, answer, method, path } = line
  const request = readJson(body)
  const isWhole = body === null || request !== undefined
  return (
    <div className={classes.made}>
      <Facts>
        <Fact name="Status">
          <Badge tone={toneOfStatus(status)}>{status}</Badge> {code !== null && <code>{code}</code>}
        </Fact>
        <Fact name="When">{formatUtc(at)}</Fact>
        <Fact name="Took">{formatAmount(Math.round(ms * 10) / 10)} ms</Fact>
        <Fact name="Key">{keyName ?? keyId}</Fact>
        <Fact name="Request">
          <Id value={requestId} />
        </Fact>
      </Facts>
      {body !== null && (
        <Part title="Asked">
          <CodeBlock text={indent(body)} label="Copy what was asked" />
        </Part>
      )}
      <Part title="Answered">
        {answer === null ? (
          <p className={classes.soft}>Without a body.</p>
        ) : (
          <CodeBlock text={indent(answer)} label="Copy what was answered" />
        )}
      </Part>
      {isWhole && (
        <Part title="Again, as curl">
          <CodeBlock
            text={toCurl({ method: method as 'GET', path, ...(body === null ? {} : { body: request }) })}
          />
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.label}>{title}</h3>
      {children}
    </section>
  )
}

/** Long bodies are cut, and then are no JSON any more. */
function readJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function indent(text: string): string {
  const value = readJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
