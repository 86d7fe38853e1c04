/** Why an endpoint is switched off: someone asked for it, it answered 410, or every attempt of five days failed. */
export const WEBHOOK_DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

export const WEBHOOK_STATUSES = ['ENABLED', 'DISABLED'] as const;

/** Why something is sent to an endpoint. */
export const DELIVERY_KINDS = ['event', 'test', 'replay'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt failed. */
export const DELIVERY_ERRORS = [
  'STATUS',
  'REDIRECT',
  'TIMEOUT',
  'CONNECTION',
  'ADDRESS_REFUSED',
  'EVENT_PURGED',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];
