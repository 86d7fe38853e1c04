export const UNLINK_REASONS = ['user_request', 'admin_action', 'security_incident'] as const;
export type UnlinkReason = (typeof UNLINK_REASONS)[number];
