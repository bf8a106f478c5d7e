/**
 * Admission by other servers, as configured by MutatingWebhookConfigurations and ValidatingWebhookConfigurations. How a
 * server is reached is the business of the client.
 */
export { mutatingAdmissionWebhook } from './mutating-admission-webhook.ts';
export { validatingAdmissionWebhook } from './validating-admission-webhook.ts';
