import { CollectedFindings, ConfigurationFields, inContext } from '../../codec/configuration/index.ts';
import { decodeYaml } from '../../codec/yaml/index.ts';
import { requiredValue, typeInvalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { EncryptionConfiguration, EncryptionRule } from './encryption-configuration.ts';
import { type EncryptionFields, readProvider } from './read-provider.ts';
import { checkMasking, parseGroupResource, resourceErrors } from './resource-rules.ts';

const apiVersion = 'apiserver.config.k8s.io/v1';
const kind = 'EncryptionConfiguration';

/** The values of an encryption configuration are secret, even those in a wrong place. */
class SecretFindings extends CollectedFindings {
  override wrongType(path: string, _value: unknown, wanted: string): void {
    this.add(typeInvalidValue(path, 'REDACTED', `must be ${wanted}`));
  }
}

/** Parses an EncryptionConfiguration in YAML or JSON. Throws a RangeError that lists all errors, and no secrets. */
export function parseEncryptionConfiguration(content: Buffer): EncryptionConfiguration {
  return inContext('encryption configuration', () => {
    if (content.length === 0) throw new RangeError('the file is empty');
    const findings = new SecretFindings();
    const { value, duplicates } = decodeYaml(content);
    findings.decoding.push(...duplicates);
    const root = new ConfigurationFields<CollectedFindings>(value, findings);
    checkKind(root);
    const rules = readRules(root);
    root.end();
    findings.check();
    checkMasking(rules);
    return rules;
  });
}

function checkKind(root: EncryptionFields): void {
  const type = `${root.text('apiVersion')} ${root.text('kind')}`;
  // The second is an old name.
  if (type === `${apiVersion} ${kind}` || type === 'v1 EncryptionConfig') return;
  throw new RangeError(`must be of kind ${goQuote(kind)} and apiVersion ${goQuote(apiVersion)}`);
}

function readRules(root: EncryptionFields): EncryptionRule[] {
  const items = root.objects('resources');
  if (items.length === 0) root.findings.add(requiredValue('resources', 'at least one resources is required'));
  const kmsNames = new Set<string>();
  return items.map((fields) => {
    const resources = fields.texts('resources');
    requireSome(fields, 'resources', resources.length);
    for (const error of resourceErrors(resources, fields.path('resources'))) fields.findings.add(error);
    const providers = fields.objects('providers');
    requireSome(fields, 'providers', providers.length);
    return {
      resources: resources.map(parseGroupResource),
      providers: providers.map((each) => readProvider(each, kmsNames)).filter((each) => each !== undefined),
    };
  });
}

function requireSome(fields: EncryptionFields, name: string, count: number): void {
  const at = fields.path(name);
  if (count === 0) fields.findings.add(requiredValue(at, `at least one ${at} is required`));
}
