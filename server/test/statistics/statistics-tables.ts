// What the job of the statistics and the tally write by themselves, some seconds later: whoever compares tables before and after
// leaves it out.
export const statisticsTables = [
  'statistics_progress',
  'statistics_due',
  'usage_hour',
  'usage_day',
  'usage_total',
  'active_day',
  'customer_standing',
  'limit_change',
  'customer_held',
  'refusal_hour',
  'request_minute',
]
