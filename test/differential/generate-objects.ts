import { generateObject } from '../codec/generated-object.ts';
import { mutated } from '../corpus/mutate-object.ts';
import type { JsonObject } from '../invariants/json.ts';
import type { Case, Step } from './case.ts';
import { type Change, chooseChange, chooseTarget, dryOnly, type Scope, type Target } from './scope.ts';
import { applyStep, createStep, deleteStep, itemPath, updateStep } from './steps.ts';

/** An object of any type with changes in any field: created, read, written by several verbs, deleted. */
export function generateObjects(scope: Scope): Case {
  const { random } = scope;
  const target = chooseTarget(scope);
  const { subject, collection, namespace } = target;
  const { kind, group } = subject.definition;
  const object = chooseObject(scope, target);
  if (dryOnly.test(group)) {
    const path = `${collection}?dryRun=All${random.pick(['', '&fieldValidation=Strict'])}`;
    return { kind, ...namespace, steps: [{ method: 'POST', path, body: object }] };
  }
  const steps: Step[] = [createStep(collection, object, random), { method: 'GET', path: itemPath(collection, 0) }];
  for (let left = random.below(4); left > 0; left--) steps.push(...chooseWrite(scope, target));
  steps.push(deleteStep(collection, 0, random), { method: 'GET', path: itemPath(collection, 0) });
  return { kind, ...namespace, steps };
}

/** Mostly valid objects with one change; some are as they are, and some make no sense. */
function chooseObject(scope: Scope, target: Target): JsonObject {
  const { random } = scope;
  const { definition } = target.subject;
  switch (random.below(12)) {
    case 0:
    case 1:
      return target.object;
    case 2:
      return mutated(target.object, (limit) => random.below(limit)) as JsonObject;
    case 3: {
      const { apiVersion, kind, metadata } = target.object;
      const generated = generateObject(definition.schema, { seed: random.bits(), density: 0.2 });
      return { ...(generated as JsonObject), apiVersion: apiVersion!, kind: kind!, metadata: metadata! };
    }
    case 4:
      return chooseChange(scope, target)(chooseChange(scope, target)(target.object));
    default:
      return chooseChange(scope, target)(target.object);
  }
}

function chooseWrite(scope: Scope, target: Target): Step[] {
  const { random } = scope;
  const { subject, collection, object } = target;
  const { schema, subresources } = subject.definition;
  const names = subresources.map(({ name }) => name);
  const change = chooseChange(scope, target);
  // The live object may have changed since the first answer, which some writes must notice.
  const read: Step = { method: 'GET', path: itemPath(collection, 0) };
  const update = (options: { readonly change: Change; readonly subresource?: string }): Step =>
    updateStep({ collection, schema, base: 0, ...options }, random);
  switch (random.below(6)) {
    case 0:
      return [applyStep(collection, change(object), random), read];
    case 1:
      if (names.includes('status')) {
        return [update({ change: chooseChange(scope, target, 'status'), subresource: 'status' }), read];
      }
      break;
    case 2:
      if (names.includes('scale')) return scaleSteps(collection, scope);
      break;
    case 3: {
      const others = names.filter((name) => /^(approval|ephemeralcontainers|resize)$/.test(name));
      if (others.length > 0) return [update({ change, subresource: random.pick(others) }), read];
      break;
    }
  }
  return [update({ change }), read];
}

function scaleSteps(collection: string, { random }: Scope): Step[] {
  const path = itemPath(collection, 0, '/scale');
  const replicas = random.pick([0, 1, 7, -1, 'x', null]);
  const body = { spec: { replicas } };
  const { apiVersion, kind } = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
  return [
    { method: 'GET', path },
    random.chance(0.5)
      ? { method: 'PATCH', path, body, type: 'application/merge-patch+json' }
      : { method: 'PUT', path, body: { apiVersion, kind, metadata: { name: 'one' }, ...body } },
  ];
}
