// What a subscription means here, whatever word its provider has for it.

/** It gives access now, it may give it again, or it is over. */
export type SubscriptionPhase = 'granting' | 'suspended' | 'ended'
