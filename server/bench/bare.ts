// The bare baseline's process: node:http that reads the body and answers as many bytes as the service does.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

let body = Buffer.from('{}')

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})

answerParent({
  listen: () =>
    new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    }),
  /** How many bytes its answers have from now on. */
  answerWith: (length: number) => {
    body = Buffer.alloc(length, ' ')
  },
})
