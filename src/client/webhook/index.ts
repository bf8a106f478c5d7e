/**
 * Calls to the webhooks that objects declare in a `clientConfig`: conversion and admission. Failures have the texts of
 * kube-apiserver, because they reach the users of the API.
 */
export { ReviewFields } from './review-fields.ts';
export {
  type ServiceResolver,
  type WebhookClient,
  type WebhookClientConfig,
  WebhookError,
  type WebhookService,
} from './webhook-client.ts';
export { WebhookClients } from './webhook-clients.ts';
