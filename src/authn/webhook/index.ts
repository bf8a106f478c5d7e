/** Tokens that another server knows. It is asked with a TokenReview, and its answers count for a while. */
export { statusOf } from './answer-fields.ts';
export { WebhookTokenAuthenticator, type WebhookTokenOptions } from './webhook-token-authenticator.ts';
