import { isObject, type Json, type JsonObject } from '../invariants/json.ts';
import { patchTypes } from '../invariants/run-case.ts';
import type { Case, Step } from './case.ts';
import { chooseChange, chooseTarget, dryOnly, partOf, type Scope, type Target } from './scope.ts';
import { applyStep, updateStep } from './steps.ts';

/** One object that several managers write with patches of all kinds and server-side apply. */
export function generateManagers(scope: Scope): Case {
  const { random } = scope;
  const target = chooseTarget(scope, ({ definition }) => !dryOnly.test(definition.group));
  const { subject, collection, namespace, object } = target;
  const item = `${collection}/${encodeURIComponent(String((object.metadata as JsonObject).name))}`;
  const steps: Step[] = [applyStep(collection, partOf(object, random), random)];
  for (let left = 2 + random.below(5); left > 0; left--) steps.push(chooseStep(scope, { ...target, item }));
  steps.push({ method: 'GET', path: item });
  return { kind: subject.definition.kind, ...namespace, steps };
}

interface ManagedItem extends Target {
  readonly item: string;
}

function chooseStep(scope: Scope, target: ManagedItem): Step {
  const { random } = scope;
  const { collection, object, item, subject } = target;
  const change = chooseChange(scope, target);
  switch (random.below(7)) {
    case 0:
    case 1:
      return applyStep(collection, partOf(change(object), random), random);
    case 2:
      return applyStep(collection, partOf(object, random), random);
    case 3:
      return patchStep(
        item,
        'json',
        Array.from({ length: 1 + random.below(3) }, () => operation(scope, object)),
      );
    case 4:
      return patchStep(item, 'strategic', withDirectives(scope, partOf(change(object), random)) as JsonObject);
    case 5:
      return patchStep(item, 'merge', withoutSome(scope, partOf(change(object), random)));
    default:
      return updateStep({ collection, schema: subject.definition.schema, base: 0, change }, random);
  }
}

function patchStep(item: string, kind: 'json' | 'strategic' | 'merge', body: Json): Step {
  return { method: 'PATCH', path: item, type: patchTypes[kind], body, manager: kind };
}

/** An operation of a JSON patch on a member of the object, or on one that is not there. */
function operation({ random }: Scope, object: JsonObject): JsonObject {
  const pointers = pointersIn(object);
  const path = random.chance(0.9) ? random.pick(pointers) : `${random.pick(pointers)}/-`;
  const value = random.pick<Json>(['text', 1, null, {}, [], { a: 'b' }, ['x'], true]);
  switch (random.below(6)) {
    case 0:
      return { op: 'remove', path };
    case 1:
      return { op: 'replace', path, value };
    case 2:
      return { op: random.pick(['move', 'copy']), from: random.pick(pointers), path };
    case 3:
      return { op: 'test', path, value };
    default:
      return { op: 'add', path: random.chance(0.5) ? '/metadata/labels' : path, value };
  }
}

function pointersIn(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pointersIn(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return path === '' ? inner : [path, ...inner];
}

/** Adds directives of strategic merge patches to some objects and lists. */
function withDirectives(scope: Scope, value: Json): Json {
  const { random } = scope;
  if (Array.isArray(value)) {
    const items = value.map((item) => withDirectives(scope, item));
    return random.chance(0.1) ? [...items, { $patch: random.pick(['replace', 'delete', 'merge', 'odd']) }] : items;
  }
  if (!isObject(value)) return value;
  const object: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    object[name] = withDirectives(scope, member);
    if (!Array.isArray(member) || !random.chance(0.15)) continue;
    if (random.chance(0.5)) object[`$setElementOrder/${name}`] = random.chance(0.7) ? member.toReversed() : [];
    else object[`$deleteFromPrimitiveList/${name}`] = member;
  }
  if (random.chance(0.05)) object.$patch = random.pick(['replace', 'delete', 'merge', 'odd']);
  if (random.chance(0.05)) object.$retainKeys = Object.keys(value).slice(0, 1 + random.below(3));
  return object;
}

/** Removes some members with null, as merge patches do. */
function withoutSome(scope: Scope, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (scope.random.chance(0.1)) return [name, null];
      return [name, isObject(value) ? withoutSome(scope, value) : value];
    }),
  );
}
