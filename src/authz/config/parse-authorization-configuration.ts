import { CollectedFindings, ConfigurationFields, inContext } from '../../codec/configuration/index.ts';
import { decodeYaml } from '../../codec/yaml/index.ts';
import { duplicateValue, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  authorizerTypes,
} from '../modes/authorization-configuration.ts';
import { type AuthorizationFields, readWebhookConfiguration } from './read-webhook-configuration.ts';

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];
const kind = 'AuthorizationConfiguration';

/**
 * Parses an AuthorizationConfiguration in YAML or JSON. Throws a RangeError that lists all errors. Does not contact
 * webhooks.
 */
export function parseAuthorizationConfiguration(content: Buffer): AuthorizationConfiguration {
  return inContext('authorization configuration', () => {
    const findings = new CollectedFindings();
    const { value, duplicates } = decodeYaml(content);
    findings.decoding.push(...duplicates);
    const root = new ConfigurationFields(value, findings);
    checkKind(root);
    const authorizers = readAuthorizers(root);
    root.end();
    findings.check();
    return { authorizers };
  });
}

function checkKind(root: AuthorizationFields): void {
  const apiVersion = root.text('apiVersion');
  if (root.text('kind') === kind && versions.some((version) => apiVersion === `${group}/${version}`)) return;
  throw new RangeError(`must be of kind ${goQuote(kind)} and apiVersion ${goQuote(`${group}/v1`)}`);
}

function readAuthorizers(root: AuthorizationFields): AuthorizerConfiguration[] {
  const items = root.objects('authorizers');
  if (items.length === 0) {
    root.findings.add(requiredValue('authorizers', 'at least one authorization mode must be defined'));
  }
  const types = new Set<string>();
  const names = new Set<string>();
  return items.map((fields) => {
    const type = fields.text('type');
    if (checkType(fields, type, types)) checkName(fields, type, names);
    if (type !== 'Webhook') {
      if (fields.has('webhook')) {
        fields.findings.add(
          invalidValue(fields.path('webhook'), 'non-null', 'may only be specified when type=Webhook'),
        );
      }
      return { type, name: fields.text('name') };
    }
    if (!fields.has('webhook'))
      fields.findings.add(requiredValue(fields.path('webhook'), 'required when type=Webhook'));
    const webhook = fields.has('webhook') ? readWebhookConfiguration(fields.object('webhook')) : undefined;
    return { type, name: fields.text('name'), webhook };
  });
}

function checkType(fields: AuthorizationFields, type: string, seen: Set<string>): boolean {
  const path = fields.path('type');
  if (type === '') fields.findings.add(requiredValue(path));
  else if (!authorizerTypes.some((known) => known === type))
    fields.findings.add(notSupportedValue(path, type, authorizerTypes));
  else if (type !== 'Webhook' && seen.has(type)) fields.findings.add(duplicateValue(path, type));
  else {
    seen.add(type);
    return true;
  }
  return false;
}

function checkName(fields: AuthorizationFields, type: string, seen: Set<string>): void {
  const path = fields.path('name');
  const name = fields.text('name');
  const problems = dnsSubdomainErrors(name);
  if (name === '') fields.findings.add(requiredValue(path));
  else if (seen.has(name)) fields.findings.add(duplicateValue(path, name));
  else if (problems.length > 0) {
    fields.findings.add(invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`));
  } else if (type !== 'Webhook' && name !== type.toLowerCase()) {
    fields.findings.add(invalidValue(path, name, `expected name ${type.toLowerCase()} for authorizer ${type}`));
  }
  seen.add(name);
}
