/** Token authentication by webhook: sends a TokenReview to another server and caches its response. */
export { reviewStatus } from './response-fields.ts';
export { WebhookTokenAuthenticator, type WebhookTokenOptions } from './webhook-token-authenticator.ts';
