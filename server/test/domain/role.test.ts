// What a role may: the truth table of every role against everything that a route can ask for.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPasswordFault, findRefusal, type Role, type RouteAccess } from '../../src/domain/people/role.ts'

const table: [RouteAccess, 'test' | 'live' | undefined, Record<Role, string | undefined>][] = [
  ['anyone', undefined, { admin: undefined, member: undefined, read: undefined }],
  ['own', undefined, { admin: undefined, member: undefined, read: undefined }],
  ['read', 'live', { admin: undefined, member: undefined, read: undefined }],
  ['write', 'test', { admin: undefined, member: undefined, read: 'read_only_person' }],
  ['write', 'live', { admin: undefined, member: undefined, read: 'read_only_person' }],
  ['keys', 'test', { admin: undefined, member: undefined, read: 'read_only_person' }],
  ['keys', 'live', { admin: undefined, member: 'admin_only', read: 'read_only_person' }],
  ['admin', undefined, { admin: undefined, member: 'admin_only', read: 'admin_only' }],
]

describe('findRefusal', () => {
  for (const [access, environment, expected] of table) {
    it(`${access} in ${environment ?? 'the installation'}`, () => {
      for (const role of ['admin', 'member', 'read'] as const)
        assert.equal(findRefusal(role, access, environment)?.code, expected[role], role)
    })
  }
})

describe('findPasswordFault', () => {
  it('wants ten to two hundred characters that are not the address', () => {
    assert.match(findPasswordFault('123456789', 'a@b.io') ?? '', /at least 10/)
    assert.equal(findPasswordFault('1234567890', 'a@b.io'), undefined)
    assert.equal(findPasswordFault('😀🎈🚀🌍🐈'.repeat(2), 'a@b.io'), undefined)
    assert.equal(findPasswordFault('vwxyz'.repeat(40), 'a@b.io'), undefined)
    assert.match(findPasswordFault('adminadmin'.replaceAll('d', 'a'), 'a@b.io') ?? '', /different/)
    assert.match(findPasswordFault('\0'.repeat(10), 'a@b.io') ?? '', /control/)
    assert.match(findPasswordFault(`${'abcde'.repeat(2)}\ud800`, 'a@b.io') ?? '', /control/)
    assert.match(findPasswordFault('x'.repeat(201), 'a@b.io') ?? '', /at most 200/)
    assert.match(findPasswordFault('Somebody@Example.com', 'somebody@example.com') ?? '', /address/)
  })
})
