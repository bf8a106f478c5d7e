/**
 * Admission by other servers, as configured by MutatingWebhookConfigurations and ValidatingWebhookConfigurations. The
 * room `client` connects to the servers.
 */
export { mutatingAdmissionWebhook } from './mutating-admission-webhook.ts';
export { validatingAdmissionWebhook } from './validating-admission-webhook.ts';
