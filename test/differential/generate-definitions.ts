import type { Json, JsonObject } from '../invariants/json.ts';
import { patchTypes } from '../invariants/run-case.ts';
import type { Case, Step } from './case.ts';
import { customCase, customType, versionOf } from './definitions.ts';
import type { Scope } from './scope.ts';
import { applyStep, createStep, deleteStep } from './steps.ts';
import { StructuralSchemas } from './structural-schemas.ts';

/** A custom type with a random schema, and objects of it: created, applied, patched, listed as tables, deleted. */
export function generateDefinitions(scope: Scope): Case {
  const { random } = scope;
  const schemas = new StructuralSchemas(random);
  const spec = schemas.object(3);
  const type = customType(scope, { kind: 'Thing', version: versionOf(spec, chooseOptions(scope)) });
  const { collection, apiVersion, kind } = type;
  const named = (name: string): JsonObject => ({ apiVersion, kind, metadata: { name }, spec: schemas.value(spec) });
  const steps: Step[] = [];
  for (const name of ['one', 'two', 'three']) steps.push(createStep(collection, named(name), random));
  for (let left = 3 + random.below(4); left > 0; left--) {
    steps.push(chooseStep(scope, { collection, object: named(random.pick(['one', 'two', 'four'])) }));
  }
  steps.push({ method: 'GET', path: collection }, deleteStep(collection, type.steps.length, random));
  return customCase(scope, type, steps);
}

/** Columns, subresources and selectable fields, which may name absent fields. */
function chooseOptions({ random }: Scope): JsonObject {
  const options: JsonObject = {};
  if (random.chance(0.4)) {
    options.additionalPrinterColumns = [
      {
        name: 'A',
        type: random.pick(['string', 'integer', 'date', 'odd']),
        jsonPath: random.pick(['.spec.a', '.spec']),
      },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ];
  }
  if (random.chance(0.3)) options.selectableFields = [{ jsonPath: random.pick(['.spec.a', '.spec.b', '.spec.odd']) }];
  const scale = { specReplicasPath: random.pick(['.spec.a', '.spec.b', '.odd']), statusReplicasPath: '.status.n' };
  options.subresources = random.pick<JsonObject>([{ status: {} }, { status: {} }, { status: {}, scale }, {}]);
  if (random.chance(0.1)) options.deprecated = true;
  return options;
}

interface CustomObject {
  readonly collection: string;
  readonly object: JsonObject;
}

const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function chooseStep({ random }: Scope, { collection, object }: CustomObject): Step {
  const item = `${collection}/${(object.metadata as JsonObject).name}`;
  const { spec } = object as { spec: Json };
  switch (random.below(9)) {
    case 0:
    case 1:
      return applyStep(collection, object, random);
    case 2:
      return { method: 'PATCH', path: item, type: patchTypes.merge, body: { spec }, manager: 'merge' };
    case 3: {
      const path = random.pick(['/spec/a', '/spec/b', '/spec', '/metadata/labels']);
      return { method: 'PATCH', path: item, type: patchTypes.json, body: [{ op: 'add', path, value: spec }] };
    }
    case 4:
      return { method: 'PUT', path: item, body: object };
    case 5:
      return { method: 'PATCH', path: `${item}/status`, type: patchTypes.merge, body: { status: { n: 1 }, spec } };
    case 6:
      return { method: 'GET', path: `${item}/scale` };
    case 7:
      return { method: 'GET', path: collection, accept: tables };
    default:
      return { method: 'GET', path: `${collection}?fieldSelector=spec.a%3D${random.pick(['x', '1', 'true'])}` };
  }
}
