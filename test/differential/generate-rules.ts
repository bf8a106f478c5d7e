import type { Json, JsonObject } from '../invariants/json.ts';
import type { Case, Step } from './case.ts';
import { customCase, customType, versionOf } from './definitions.ts';
import { generateExpression } from './expressions.ts';
import type { Scope } from './scope.ts';
import { createStep } from './steps.ts';

/** The fields that expressions use. Their limits keep the estimated costs low. */
const text = { type: 'string', maxLength: 20 };
const fields: JsonObject = {
  flag: { type: 'boolean', default: false },
  count: { type: 'integer', default: 1 },
  ratio: { type: 'number', default: 0.5 },
  text: { ...text, default: 'x' },
  required: text,
  more: text,
  list: { type: 'array', maxItems: 4, items: text, default: [] },
  numbers: { type: 'array', maxItems: 4, items: { type: 'integer' }, default: [1] },
  map: { type: 'object', maxProperties: 3, additionalProperties: text, default: {} },
  items: {
    ...{ type: 'array', maxItems: 3, default: [], 'x-kubernetes-list-type': 'map' },
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: text } },
  },
  any: { 'x-kubernetes-int-or-string': true, default: 1 },
  period: { type: 'string', format: 'duration', default: '1m' },
  since: { type: 'string', format: 'date-time', default: '2024-01-01T00:00:00Z' },
};

const values: Readonly<Record<string, readonly Json[]>> = {
  flag: [true, false],
  count: [0, 1, 2, -5, 2 ** 53, 7],
  ratio: [0, 1, 1.5, -2.25],
  text: ['', 'x', 'abc', 'A.b', '10.0.0.1', '1Gi', 'ünïcode', '1.2.3', '7'],
  more: ['', 'x', 'y'],
  list: [[], ['a'], ['x', 'a', 'a'], ['a', 'b', 'c', 'd']],
  numbers: [[], [1], [3, 1, 2], [0, 0]],
  map: [{}, { k: 'v' }, { k: '', x: 'x' }],
  items: [[], [{ name: 'x' }], [{ name: 'a' }, { name: 'b' }]],
  any: [1, 'x', '50%'],
  period: ['1h', '90s', '1ms'],
  since: ['2024-05-01T00:00:00Z', '2030-01-01T00:00:00.5+02:00'],
};

/** A custom type with random validation rules, and objects that they are evaluated with. */
export function generateRules(scope: Scope): Case {
  const { random } = scope;
  if (random.chance(0.2)) return generatePolicy(scope);
  const rules = Array.from({ length: 1 + random.below(3) }, () => generateRule(scope));
  const spec = { type: 'object', properties: fields, required: ['required'], 'x-kubernetes-validations': rules };
  const type = customType(scope, { kind: 'Rule', version: versionOf(spec) });
  const { apiVersion, kind, collection } = type;
  const object = (name: string): JsonObject => ({ apiVersion, kind, metadata: { name }, spec: chooseSpec(scope) });
  const steps: Step[] = [];
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const body = object(name);
    const merge = { method: 'PATCH', path: `${collection}/${name}`, type: 'application/merge-patch+json' };
    steps.push(createStep(collection, body, random), { ...merge, body: { spec: chooseSpec(scope) } });
  }
  return customCase(scope, type, steps);
}

function generateRule({ random }: Scope): JsonObject {
  const rule: JsonObject = { rule: generateExpression(random, 'bool', 1 + random.below(3)) };
  if (random.chance(0.3)) rule.message = 'is not so';
  if (random.chance(0.3)) rule.messageExpression = generateExpression(random, 'string', 2);
  if (random.chance(0.2)) rule.fieldPath = random.pick(['.text', '.count', '.odd', 'x', ".map['k']", '.items']);
  if (random.chance(0.2)) rule.reason = random.pick(['FieldValueInvalid', 'FieldValueRequired', 'Odd']);
  if (random.chance(0.1)) rule.optionalOldSelf = true;
  return rule;
}

function chooseSpec({ random }: Scope): JsonObject {
  const chosen = Object.entries(values).filter(() => random.chance(0.6));
  return { required: 'r', ...Object.fromEntries(chosen.map(([name, choice]) => [name, random.pick(choice)])) };
}

/** A policy with random expressions. Only a dry run, because it would apply to other requests. */
function generatePolicy({ random, word }: Scope): Case {
  // In policies, the fields are those of an object whose type is not known.
  const expression = (type: string) => generateExpression(random, type, 2).replaceAll('self.', 'object.spec.');
  const kind = 'ValidatingAdmissionPolicy';
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: `policy-${word}` },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
      },
      validations: [{ expression: expression('bool'), messageExpression: expression('string') }],
      matchConditions: [{ name: 'one', expression: expression('bool') }],
      variables: [{ name: 'one', expression: expression('int') }],
      auditAnnotations: [{ key: 'one', valueExpression: expression('string') }],
    },
  };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All';
  return { kind, steps: [{ method: 'POST', path, body }] };
}
