/** Authorization by webhook: sends a SubjectAccessReview to another server and caches its decision. */
export { compileMatchCondition } from './match-conditions.ts';
export { openWebhook } from './webhook-authorizer.ts';
