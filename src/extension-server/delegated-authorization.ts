import { AuthorizationChain } from '../authz/authorization-chain.ts';
import { type Attributes, type Authorizer, allowed, noOpinion } from '../authz/authorizer.ts';
import { mastersAuthorizer } from '../authz/masters.ts';
import { WebhookAuthorizer } from '../authz/webhook/webhook-authorizer.ts';
import type { Cluster } from './cluster.ts';

/** The duration in the API servers of Kubernetes. */
const decisionCacheMs = 10_000;

const openPaths = new Set(['/healthz', '/livez', '/readyz']);

/** Probes need no credentials. Individual checks need a permission. */
const healthPaths: Authorizer = {
  authorize: ({ path }: Attributes) => (path !== undefined && openPaths.has(path) ? allowed : noOpinion),
};

/** Delegated authorization: sends SubjectAccessReviews to the API server. */
export function delegatedAuthorizer(cluster: Cluster): Authorizer {
  const reviews = new WebhookAuthorizer({
    endpoint: cluster.reviews('authorization.k8s.io/v1/subjectaccessreviews', 'authz'),
    version: 'v1',
    authorizedMs: decisionCacheMs,
    unauthorizedMs: decisionCacheMs,
    failurePolicy: 'NoOpinion',
  });
  return new AuthorizationChain([mastersAuthorizer, healthPaths, reviews]);
}
