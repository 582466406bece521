// The id of a usage event carries what finds its row: customer, feature and the hash of its first key. A customer's ids are in
// the order of commits, because the event's number follows the uid.

export type EventPlace = { customerUid: string; featureNo: number; keyHash: string }

const prefix = 'evt_'
const byteLength = 16 + 8 + 4 + 16

// base64 in an alphabet that is in ASCII order, so that ids sort as their bytes do.
const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const ordered = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const toStandard = new Map([...ordered].map((letter, index) => [letter, standard[index] as string]))

// Twelve bits at a time: an id is written for every event, and letter by letter it took three times as long.
const pairs = Array.from({ length: 4096 }, (_, bits) => `${ordered[bits >> 6]}${ordered[bits & 63]}`)

const buffer = Buffer.alloc(byteLength)

export function writeEventId(eventNo: number, { customerUid, featureNo, keyHash }: EventPlace): string {
  buffer.write(customerUid.replaceAll('-', ''), 0, 'hex')
  buffer.writeBigUInt64BE(BigInt(eventNo), 16)
  buffer.writeUInt32BE(featureNo, 24)
  buffer.write(keyHash.replaceAll('-', ''), 28, 'hex')
  let id = prefix
  for (let at = 0; at < byteLength - 2; at += 3) {
    const bits = buffer.readUIntBE(at, 3)
    id += pairs[bits >> 12]
    id += pairs[bits & 4095]
  }
  const rest = buffer.readUInt16BE(byteLength - 2)
  return `${id}${pairs[rest >> 4]}${ordered[(rest & 15) << 2]}`
}

/** Undefined for what cannot be an event's id. */
export function readEventId(id: string): (EventPlace & { eventNo: number }) | undefined {
  if (!/^evt_[\w-]{59}$/.test(id)) return undefined
  let base64 = ''
  for (const letter of id.slice(prefix.length)) base64 += toStandard.get(letter)
  const bytes = Buffer.from(base64, 'base64')
  const eventNo = Number(bytes.readBigUInt64BE(16))
  const featureNo = bytes.readUInt32BE(24)
  if (bytes.length !== byteLength || !Number.isSafeInteger(eventNo) || featureNo > 0x7fffffff)
    return undefined
  const place = { eventNo, customerUid: toUuid(bytes, 0), featureNo, keyHash: toUuid(bytes, 28) }
  // The last letter has two bits to spare: only the spelling that we write is an id.
  return writeEventId(eventNo, place) === id ? place : undefined
}

function toUuid(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
