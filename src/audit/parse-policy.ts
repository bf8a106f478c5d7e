import { ConfigurationFields, inContext } from '../codec/configuration/index.ts';
import { decodeYaml } from '../codec/yaml/index.ts';
import { goQuote } from '../meta/go-quote.ts';
import { joinedErrors } from '../meta/joined-errors.ts';
import type { GroupResources, Level, PolicyDocument, PolicyRule, Stage } from './policy-document.ts';
import { policyErrors } from './validate-policy.ts';

const apiVersion = 'audit.k8s.io/v1';

/** Parses an `audit.k8s.io/v1` Policy in YAML or JSON. Throws a RangeError that lists all errors. */
export function parsePolicy(content: string | Buffer): PolicyDocument {
  return inContext('loading audit policy file', () => {
    const document = inContext('failed decoding', () => readPolicy(Buffer.from(content as string)));
    const errors = policyErrors(document);
    if (errors.length > 0) throw new RangeError(joinedErrors(errors));
    if (document.rules.length === 0) throw new RangeError('loaded illegal policy with 0 rules');
    return document;
  });
}

function readPolicy(content: Buffer): PolicyDocument {
  const { value, duplicates } = decodeYaml(content);
  if (duplicates.length > 0) throw new RangeError(`strict decoding error: yaml: ${duplicates.join(', ')}`);
  const problems: string[] = [];
  const fields = new ConfigurationFields(value, {
    unknownField: (path) => problems.push(`unknown field ${goQuote(path)}`),
    wrongType: (path, _value, wanted) => problems.push(`${path === '' ? '' : `${path}: `}must be ${wanted}`),
  });
  checkType(fields);
  fields.object('metadata').allowMore();
  const document = {
    rules: fields.objects('rules').map(readRule),
    omitStages: fields.texts('omitStages') as Stage[],
    omitManagedFields: fields.flag('omitManagedFields') ?? false,
  };
  fields.end();
  if (problems.length > 0) throw new RangeError(`strict decoding error: ${problems.join(', ')}`);
  return document;
}

function checkType(fields: ConfigurationFields): void {
  const kind = fields.text('kind');
  const version = fields.text('apiVersion');
  if (kind === '') throw new RangeError("Object 'Kind' is missing");
  if (version === '') throw new RangeError("Object 'apiVersion' is missing");
  if (kind !== 'Policy' || version !== apiVersion) {
    const wanted = `a Policy of version ${goQuote(apiVersion)} is needed`;
    throw new RangeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(version)}: ${wanted}`);
  }
}

function readRule(fields: ConfigurationFields): PolicyRule {
  return {
    level: fields.text('level') as Level,
    users: fields.texts('users'),
    userGroups: fields.texts('userGroups'),
    verbs: fields.texts('verbs'),
    resources: fields.objects('resources').map(readResources),
    namespaces: fields.texts('namespaces'),
    nonResourceURLs: fields.texts('nonResourceURLs'),
    omitStages: fields.texts('omitStages') as Stage[],
    omitManagedFields: fields.flag('omitManagedFields'),
  };
}

function readResources(fields: ConfigurationFields): GroupResources {
  return {
    group: fields.text('group'),
    resources: fields.texts('resources'),
    resourceNames: fields.texts('resourceNames'),
  };
}
