import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { validateWebhookClient } from '../admissionregistration/webhook-client-validation.ts';
import { validateVersionList } from '../admissionregistration/webhook-configuration-rules.ts';
import type { CustomResourceConversion } from './custom-resource-definition-types.ts';

const strategies = ['None', 'Webhook'];

/** The field paths are those of the internal type, in which kube-apiserver validates definitions. */
export function validateConversion(
  conversion: CustomResourceConversion,
  { path, checkCertificates }: { readonly path: string; readonly checkCertificates: boolean },
  errors: FieldError[],
): void {
  const { strategy = '', webhook } = conversion;
  if (strategy === '') errors.push(requiredValue(`${path}.strategy`));
  else if (!strategies.includes(strategy)) {
    errors.push(notSupportedValue(`${path}.strategy`, strategy, strategies));
  }
  const client = `${path}.webhookClientConfig`;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig !== undefined) errors.push(forbiddenValue(client, detail));
    if (versions.length > 0) errors.push(forbiddenValue(`${path}.conversionReviewVersions`, detail));
    return;
  }
  if (webhook?.clientConfig === undefined) {
    errors.push(requiredValue(client, 'required when strategy is set to Webhook'));
  } else {
    validateWebhookClient(webhook.clientConfig, client, errors);
    const { caBundle = '' } = webhook.clientConfig;
    if (checkCertificates && !isCertificateBundle(caBundle)) {
      const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
      errors.push(invalidValue(`${client}.caBundle`, caBundle, detail));
    }
  }
  if (versions.length === 0) errors.push(requiredValue(`${path}.conversionReviewVersions`));
  else validateVersionList(versions, `${path}.conversionReviewVersions`, errors);
}

/** An empty bundle is valid: it selects the certificates of the system. */
export function isCertificateBundle(caBundle: string): boolean {
  return caBundle === '' || Buffer.from(caBundle, 'base64').includes('-----BEGIN CERTIFICATE-----');
}
