import { decodeYaml } from '../codec/yaml/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import type { GroupResources, Level, PolicyDocument, PolicyRule, Stage } from './policy-document.ts';
import { StrictReader } from './strict-reader.ts';
import { policyErrors } from './validate-policy.ts';

const apiVersion = 'audit.k8s.io/v1';

/** Reads an `audit.k8s.io/v1` Policy, YAML or JSON. Throws a RangeError that says what is wrong with it, all of it. */
export function parsePolicy(content: string | Buffer): PolicyDocument {
  const reader = new StrictReader(readDocument(Buffer.from(content as string)));
  checkType(reader);
  reader.object('metadata');
  const document = {
    rules: reader.objects('rules').map(readRule),
    omitStages: reader.strings('omitStages') as Stage[],
    omitManagedFields: reader.boolean('omitManagedFields') ?? false,
  };
  reader.end();
  if (reader.problems.length > 0) throw bad(`failed decoding: strict decoding error: ${reader.problems.join(', ')}`);
  const errors = policyErrors(document);
  if (errors.length > 0) throw bad(errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`);
  if (document.rules.length === 0) throw bad('loaded illegal policy with 0 rules');
  return document;
}

function readDocument(content: Buffer): unknown {
  try {
    const { value, duplicates } = decodeYaml(content);
    if (duplicates.length > 0) throw bad(`failed decoding: strict decoding error: yaml: ${duplicates.join(', ')}`);
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw bad(`failed decoding: ${error.message}`, error);
  }
}

function checkType(reader: StrictReader): void {
  const kind = reader.string('kind');
  const version = reader.string('apiVersion');
  if (kind === '') throw bad("failed decoding: Object 'Kind' is missing");
  if (version === '') throw bad("failed decoding: Object 'apiVersion' is missing");
  if (kind !== 'Policy' || version !== apiVersion) {
    const wanted = `a Policy of version ${goQuote(apiVersion)} is needed`;
    throw bad(`failed decoding: no kind ${goQuote(kind)} is registered for version ${goQuote(version)}: ${wanted}`);
  }
}

function readRule(reader: StrictReader): PolicyRule {
  const rule = {
    level: reader.string('level') as Level,
    users: reader.strings('users'),
    userGroups: reader.strings('userGroups'),
    verbs: reader.strings('verbs'),
    resources: reader.objects('resources').map(readResources),
    namespaces: reader.strings('namespaces'),
    nonResourceURLs: reader.strings('nonResourceURLs'),
    omitStages: reader.strings('omitStages') as Stage[],
    omitManagedFields: reader.boolean('omitManagedFields'),
  };
  reader.end();
  return rule;
}

function readResources(reader: StrictReader): GroupResources {
  const resources = {
    group: reader.string('group'),
    resources: reader.strings('resources'),
    resourceNames: reader.strings('resourceNames'),
  };
  reader.end();
  return resources;
}

function bad(problem: string, cause?: Error): RangeError {
  return new RangeError(`loading audit policy file: ${problem}`, cause && { cause });
}
