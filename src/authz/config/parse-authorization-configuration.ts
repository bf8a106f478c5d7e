import { decodeYaml } from '../../codec/yaml/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import {
  duplicateValue,
  fieldErrorText,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import { joinedErrors } from '../joined-errors.ts';
import {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  authorizerTypes,
} from './authorization-configuration.ts';
import { ConfigurationFields, type Findings } from './configuration-fields.ts';
import { readWebhookConfiguration } from './read-webhook-configuration.ts';

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];
const kind = 'AuthorizationConfiguration';

/**
 * Reads a file of kind AuthorizationConfiguration, in YAML or JSON. Throws RangeError with everything that is wrong
 * with it, as far as that can be told without asking anybody.
 */
export function parseAuthorizationConfiguration(content: Buffer): AuthorizationConfiguration {
  const findings: Findings = { decoding: [], fields: [] };
  const root = new ConfigurationFields(decoded(content, findings), '', findings);
  const apiVersion = root.text('apiVersion');
  if (root.text('kind') !== kind || !versions.some((version) => apiVersion === `${group}/${version}`)) {
    throw problem([`must be of kind ${goQuote(kind)} and apiVersion ${goQuote(`${group}/v1`)}`]);
  }
  root.allow('apiVersion', 'kind', 'authorizers');
  const authorizers = readAuthorizers(root);
  if (findings.decoding.length > 0) throw problem([`strict decoding error: ${findings.decoding.join(', ')}`]);
  if (findings.fields.length > 0) throw problem(findings.fields.map(fieldErrorText));
  return { authorizers };
}

function decoded(content: Buffer, findings: Findings): unknown {
  try {
    const { value, duplicates } = decodeYaml(content);
    findings.decoding.push(...duplicates);
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw problem([error.message]);
    throw error;
  }
}

function readAuthorizers(root: ConfigurationFields): AuthorizerConfiguration[] {
  const items = root.objects('authorizers');
  if (items.length === 0) {
    root.add(requiredValue('authorizers', 'at least one authorization mode must be defined'));
  }
  const types = new Set<string>();
  const names = new Set<string>();
  return items.map((fields) => {
    fields.allow('type', 'name', 'webhook');
    const type = fields.text('type');
    if (checkType(fields, type, types)) checkName(fields, type, names);
    if (type !== 'Webhook') {
      if (fields.has('webhook')) {
        fields.add(invalidValue(fields.path('webhook'), 'non-null', 'may only be specified when type=Webhook'));
      }
      return { type, name: fields.text('name') };
    }
    if (!fields.has('webhook')) fields.add(requiredValue(fields.path('webhook'), 'required when type=Webhook'));
    const webhook = fields.has('webhook') ? readWebhookConfiguration(fields.object('webhook')) : undefined;
    return { type, name: fields.text('name'), webhook };
  });
}

function checkType(fields: ConfigurationFields, type: string, seen: Set<string>): boolean {
  const path = fields.path('type');
  if (type === '') fields.add(requiredValue(path));
  else if (!authorizerTypes.some((known) => known === type)) fields.add(notSupportedValue(path, type, authorizerTypes));
  else if (type !== 'Webhook' && seen.has(type)) fields.add(duplicateValue(path, type));
  else {
    seen.add(type);
    return true;
  }
  return false;
}

function checkName(fields: ConfigurationFields, type: string, seen: Set<string>): void {
  const path = fields.path('name');
  const name = fields.text('name');
  const problems = dnsSubdomainErrors(name);
  if (name === '') fields.add(requiredValue(path));
  else if (seen.has(name)) fields.add(duplicateValue(path, name));
  else if (problems.length > 0) {
    fields.add(invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`));
  } else if (type !== 'Webhook' && name !== type.toLowerCase()) {
    fields.add(invalidValue(path, name, `expected name ${type.toLowerCase()} for authorizer ${type}`));
  }
  seen.add(name);
}

function problem(texts: readonly string[]): RangeError {
  return new RangeError(`authorization configuration: ${joinedErrors(texts)}`);
}
