import {
  type CreateDefault,
  type DefaultObject,
  ensureObject,
  type Reconciliation,
} from '../../bootstrap/ensure-object.ts';
import { ApiError, type Client, isUnreadable, type ResourceClient } from '../../client/index.ts';
import { isJsonEqual } from '../../meta/json-object.ts';
import type { FlowSchema } from '../../resources/flowcontrol/flow-schema-types.ts';
import type { PriorityLevelConfiguration } from '../../resources/flowcontrol/priority-level-types.ts';
import { autoUpdate, mandatoryObjects, suggestedObjects } from './default-objects.ts';
import { flowSchemas, nameOf, priorityLevels } from './flow-objects.ts';
import { levelFound } from './flow-schema-conditions.ts';

type FlowObject = FlowSchema | PriorityLevelConfiguration;

interface Defaults<T> {
  readonly mandatory: readonly T[];
  readonly suggested: readonly T[];
  readonly create: ((object: T) => Promise<void>) | undefined;
}

/** The field manager of the default objects. */
const producer = 'api-priority-and-fairness-config-producer-v1';

/**
 * Ensures the default priority levels and flow schemas: creates missing objects, and updates specs that belong to the
 * server. Deletes objects of earlier releases that no longer exist. Needs two lists when nothing is missing. Objects
 * are created by requests, unless a function for this is given.
 */
export async function ensureDefaultObjects(client: Client, create?: CreateDefault): Promise<void> {
  const own = client.as(producer);
  // Levels are created first, so that no schema lacks its level.
  await ensureAll(own.resource<PriorityLevelConfiguration>(priorityLevels), {
    mandatory: mandatoryObjects.levels,
    suggested: suggestedObjects.levels,
    create: create && ((object) => create(priorityLevels, { object, fieldManager: producer })),
  });
  await ensureAll(own.resource<FlowSchema>(flowSchemas), {
    mandatory: mandatoryObjects.schemas,
    suggested: suggestedObjects.schemas,
    create: create && ((object) => create(flowSchemas, withCondition(object))),
  });
}

/** Adds the condition that the schema would get anyway, because its level exists. */
function withCondition(object: FlowSchema): DefaultObject {
  return { object, fieldManager: producer, status: levelFound(object) };
}

async function ensureAll<T extends FlowObject>(
  objects: ResourceClient<T>,
  { mandatory, suggested, create }: Defaults<T>,
): Promise<void> {
  const found = await current(objects);
  const ensure = (desired: T, reconcile: (current: T, desired: T) => Reconciliation<T>): Promise<void> =>
    ensureObject(
      { objects, desired, reconcile, create: create && (() => create(desired)) },
      found.get(nameOf(desired)),
    );
  await Promise.all([
    ...mandatory.map((desired) => ensure(desired, keepSpec)),
    ...suggested.map((desired) => ensure(desired, suggest)),
  ]);
  const names = new Set([...mandatory, ...suggested].map(nameOf));
  for (const [name, object] of found) {
    if (!names.has(name) && annotationOf(object) === 'true') await remove(objects, object);
  }
}

async function current<T extends FlowObject>(objects: ResourceClient<T>): Promise<Map<string, T>> {
  try {
    const { items } = await objects.list();
    return new Map(items.map((object) => [nameOf(object), object]));
  } catch (error) {
    // An unreadable object makes the list fail. The objects are then read one by one.
    if (isUnreadable(error)) return new Map();
    throw error;
  }
}

/** A mandatory object cannot be changed, except for the seats that the level `exempt` lends. */
function keepSpec<T extends FlowObject>(current: T, desired: T): Reconciliation<T> {
  return updated(current, { ...desired, spec: { ...desired.spec, ...exemptionOf(current) } }, 'true');
}

function exemptionOf({ spec }: FlowObject): object {
  return spec !== undefined && 'exempt' in spec ? { exempt: spec.exempt } : {};
}

/** An unmodified object follows the defaults, unless its annotation is `false`. */
function suggest<T extends FlowObject>(current: T, desired: T): Reconciliation<T> {
  const annotation = annotationOf(current);
  const follows = annotation === 'true' || (annotation !== 'false' && current.metadata.generation === 1);
  return updated(current, follows ? desired : current, String(follows));
}

function updated<T extends FlowObject>(current: T, { spec }: T, annotation: string): Reconciliation<T> {
  if (annotationOf(current) === annotation && isJsonEqual(current.spec, spec)) return 'keep';
  const annotations = { ...current.metadata.annotations, [autoUpdate]: annotation };
  return { ...current, metadata: { ...current.metadata, annotations }, spec };
}

function annotationOf({ metadata: { annotations } }: FlowObject): string | undefined {
  return annotations?.[autoUpdate];
}

async function remove<T extends FlowObject>(objects: ResourceClient<T>, object: T): Promise<void> {
  const { uid = '', resourceVersion = '' } = object.metadata;
  try {
    // The precondition protects an object that a user has just taken over.
    await objects.delete(nameOf(object), {}, { preconditions: { uid, resourceVersion } });
  } catch (error) {
    if (!(error instanceof ApiError) || !['NotFound', 'Conflict'].includes(error.status?.reason ?? '')) throw error;
  }
}
