/** Decisions that another server makes. It is asked with a SubjectAccessReview, and its answers count for a while. */
export { compileMatchCondition } from './match-conditions.ts';
export { openWebhook } from './open-webhook.ts';
