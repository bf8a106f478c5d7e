/** Conversion of custom resources between the versions of their definition: strategy `None` or `Webhook`. */
export { noneConverter } from './converter.ts';
export { type WebhookConversion, webhookConverter } from './webhook-converter.ts';
