import type { Authorizer } from '../../authz/index.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import type { AdmissionRule } from '../admission-plugin.ts';
import type { WebhookCallers } from './call-webhook.ts';

export interface WebhookDependencies {
  readonly clients: WebhookCallers;
  /** Makes the authorization checks of match conditions. */
  readonly authorizer: Authorizer;
  readonly metrics?: AdmissionMetrics | undefined;
}

/** The configurations select the requests. */
export const allRequests: readonly AdmissionRule[] = [
  { operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] },
];
