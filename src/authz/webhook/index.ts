/** Decisions that another server makes. It is asked with a SubjectAccessReview, and its answers count for a while. */
export { compileMatchCondition } from './match-conditions.ts';
export { WebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';
