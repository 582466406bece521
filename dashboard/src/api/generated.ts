// What the dashboard's own API takes and answers, route by route. Written by `npm run dashboard:types`: do not edit.

export type ApiKey = {
  keyId: string
  name: string
  scope: "full" | "read"
  lastFour: string
  source: "created" | "configured"
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  /** In the window of the moment, writes included */
  requests10s: number
  writes10s: number
}

export type AuditEntry = {
  entryNo: number
  at: number
  actor: string
  action: string
  subject: string
  before: unknown
  after: unknown
  requestId: string | null
}

export type MadeKey = {
  keyId: string
  secret: string
}

export type Person = {
  personId: string
  email: string
  name: string | null
  role: "admin" | "member" | "read"
  state: "active" | "invited"
  createdAt: number
  lastSeenAt: number | null
}

export type Session = {
  person: {
    personId: string
    email: string
    name: string
    role: "admin" | "member" | "read"
  }
  /** Sent with every write as x-csrf-token */
  csrfToken: string
  environments: {
    test: {
      provider: "simulator" | "account" | "none"
      simulatorUrl: string | null
    }
    live: {
      provider: "simulator" | "account" | "none"
      simulatorUrl: string | null
    }
  }
  publicUrl: string
  version: string
}

/** Every error: a sentence for people. Programs go by the status and the header x-error-code, whose known values each answer lists; there may be more. */
export type Error = {
  error: string
}

/** By method and path: what a call is made of, and its answer. */
export type Operations = {
  /** Who is signed in, and what every page needs to know */
  'GET /dashboard/api/session': {
    answer: Session
  }
  /** Sign in with email and password. After some attempts that failed, an account and an address have to wait: 429 with retry-after. */
  'POST /dashboard/api/session': {
    body: {
      email: string
      password: string
    }
    answer: Session
  }
  /** Sign out */
  'DELETE /dashboard/api/session': {
    answer: {
    }
  }
  /** Change one’s own password. Ends the other sessions of the person. */
  'PUT /dashboard/api/session/password': {
    body: {
      currentPassword: string
      newPassword: string
    }
    answer: {
    }
  }
  /** What a link is for; looking does not use it */
  'GET /dashboard/api/links/{token}': {
    path: {
      token: string
    }
    answer: {
      kind: "first" | "invite" | "reset"
      email: string | null
    }
  }
  /** Use a link: choose a password and be signed in. The first link asks for an email too; one for a new password takes no name. */
  'POST /dashboard/api/links/{token}': {
    path: {
      token: string
    }
    body: {
      email?: string
      name?: string
      password: string
    }
    answer: Session
  }
  /** List everybody who may use the dashboard */
  'GET /dashboard/api/people': {
    answer: {
      people: (Person)[]
    }
  }
  /** Invite a person; the link in the answer is shown once and lasts seven days */
  'POST /dashboard/api/people': {
    body: {
      email: string
      role: "admin" | "member" | "read"
    }
    answer: {
      person: Person
      inviteUrl: string
    }
  }
  /** Give a person another role, from their next request on */
  'PUT /dashboard/api/people/{personId}': {
    path: {
      personId: string
    }
    body: {
      role: "admin" | "member" | "read"
    }
    answer: Person
  }
  /** Remove a person; their sessions end at once */
  'DELETE /dashboard/api/people/{personId}': {
    path: {
      personId: string
    }
    answer: {
    }
  }
  /** Make a new link for a person: to join, or for a new password. It takes the place of those before it, works once and is shown once. */
  'POST /dashboard/api/people/{personId}/link': {
    path: {
      personId: string
    }
    answer: {
      url: string
      expiresAt: number
    }
  }
  /** List the API keys, newest first, with the use of their limits */
  'GET /dashboard/api/{environment}/keys': {
    path: {
      environment: "test" | "live"
    }
    answer: {
      keys: (ApiKey)[]
      /** Requests and writes in ten seconds; 0 is no limit */
      limits: {
        all: number
        write: number
      }
    }
  }
  /** Make an API key; its secret is shown once */
  'POST /dashboard/api/{environment}/keys': {
    path: {
      environment: "test" | "live"
    }
    body: {
      name: string
      scope: "full" | "read"
      expiresAt?: number | null
    }
    answer: MadeKey
  }
  /** Make a key that takes the place of another, which goes on for the time of grace */
  'POST /dashboard/api/{environment}/keys/{keyId}/rotate': {
    path: {
      environment: "test" | "live"
      keyId: string
    }
    body: {
      graceMs: number
    }
    answer: MadeKey
  }
  /** Revoke a key, at once */
  'DELETE /dashboard/api/{environment}/keys/{keyId}': {
    path: {
      environment: "test" | "live"
      keyId: string
    }
    answer: {
    }
  }
  /** List what was changed by whom, newest first. action is a whole one (key.create) or its noun (key). Changes of people are in the logs of both environments. */
  'GET /dashboard/api/{environment}/audit-log': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      actor?: string
      action?: string
      subject?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      entries: (AuditEntry)[]
      nextCursor: string | null
    }
  }
  /** Watch requests by key as they are answered, over all instances. Server-sent events: request (a line), dropped ({count}: lines that were too many); at most 50 lines a second. Bodies are cut at 2 kB and carry no secrets. */
  'GET /dashboard/api/{environment}/requests': {
    path: {
      environment: "test" | "live"
    }
    answer: undefined
  }
}

export type Route = keyof Operations
