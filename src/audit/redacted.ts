/** Replaces a secret. */
export const redacted = '<redacted>';
