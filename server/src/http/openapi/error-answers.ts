// Errors and headers as the document has them: one answer per status, with the codes that are known of it.

type Json = Record<string, unknown>

type ErrorAnswer = { name: string; meaning: string; codes: string[]; retries?: true }

const errorAnswers: Record<number, ErrorAnswer> = {
  400: {
    name: 'InvalidRequest',
    meaning: 'The request is invalid; the error names the field',
    codes: [
      'invalid_request',
      'missing_field',
      'unknown_field',
      'repeated_field',
      'invalid_json',
      'invalid_cursor',
      'bad_path',
      'bad_content_length',
      'bad_request',
      'feature_not_tracked',
      'total_out_of_range',
      'product_archived',
      'provider_not_configured',
      'provider_rejected',
    ],
  },
  401: {
    name: 'Unauthorized',
    meaning: 'The API key is missing or not valid',
    codes: ['unauthorized'],
  },
  403: {
    name: 'Forbidden',
    meaning: 'The API key may only read, or the environment does not allow this',
    codes: ['read_only_key', 'test_only'],
  },
  404: {
    name: 'NotFound',
    meaning: 'There is no such thing',
    codes: [
      'customer_not_found',
      'feature_not_found',
      'product_not_found',
      'usage_event_not_found',
      'bonus_not_found',
    ],
  },
  409: {
    name: 'Conflict',
    meaning: 'Conflict with what is stored',
    codes: [
      'customer_id_taken',
      'feature_key_taken',
      'product_key_taken',
      'product_not_deletable',
      'provider_product_linked',
      'provider_customer_linked',
      'below_zero',
      'event_key_reused',
      'idempotency_key_reused',
      'bonus_drawn',
      'already_subscribed',
      'change_not_possible',
      'change_takes_no_params',
    ],
  },
  413: { name: 'BodyTooLarge', meaning: 'The body is larger than 1 MiB', codes: ['body_too_large'] },
  415: { name: 'NotJson', meaning: 'The body is not JSON', codes: ['unsupported_media_type'] },
  429: {
    name: 'TooManyRequests',
    meaning: 'Too many requests; retry-after says when to go on',
    codes: ['rate_limited'],
    retries: true,
  },
  500: { name: 'InternalError', meaning: 'Something went wrong on our side', codes: ['internal_error'] },
  502: {
    name: 'ProviderFailed',
    meaning: 'The payment provider failed',
    codes: [
      'provider_unavailable',
      'provider_rejected',
      'provider_not_found',
      'provider_unauthorized',
      'provider_customer_unknown',
    ],
  },
  503: {
    name: 'Unavailable',
    meaning: 'The service is overloaded or its database cannot be reached',
    codes: ['overloaded', 'busy', 'storage_unavailable', 'took_too_long'],
    retries: true,
  },
}

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** Of every answer. */
export const headerComponents: Json = {
  RequestId: text('Names the request in the service’s log', 'req_mhzk2q1x7a_3f'),
  RateLimitPolicy: text(
    'The two windows of the key, in requests (q) per seconds (w); absent while the limiter is off',
    '"all";q=1000;w=10, "write";q=500;w=10',
  ),
  RateLimit: text(
    'What each window has left (r), and in how many seconds it begins anew (t)',
    '"all";r=997;t=8, "write";r=499;t=8',
  ),
  RetryAfter: text('In how many seconds it is worth trying again', '8'),
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

export const commonHeaders: Json = {
  'x-request-id': header('RequestId'),
  'ratelimit-policy': header('RateLimitPolicy'),
  ratelimit: header('RateLimit'),
}

export const errorSchema: Json = {
  type: 'object',
  description:
    'Every error: a sentence for people. Programs go by the status and the header x-error-code, whose known values each answer lists; there may be more.',
  properties: { error: { type: 'string' } },
  required: ['error'],
  additionalProperties: false,
}

export const errorComponents: Json = Object.fromEntries(
  Object.values(errorAnswers).map(({ name, meaning, codes, retries }) => [
    name,
    {
      description: meaning,
      headers: {
        ...commonHeaders,
        'x-error-code': {
          description: `What went wrong, for programs. Known: ${codes.join(', ')}`,
          required: true,
          schema: { type: 'string', examples: codes },
        },
        ...(retries ? { 'retry-after': header('RetryAfter') } : {}),
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
)

export function toErrorAnswer(status: number): Json {
  const answer = errorAnswers[status]
  if (!answer) throw new Error(`the status ${status} has no answer in http/openapi/error-answers.ts`)
  return { $ref: `#/components/responses/${answer.name}` }
}
