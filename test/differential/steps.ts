import type { StructSchema } from '../../src/schema/model.ts';
import type { Random } from '../codec/random.ts';
import { isObject, type Json, type JsonObject } from '../invariants/json.ts';
import { patchFor, patchTypes, type UpdateVerb } from '../invariants/run-case.ts';
import { type Answers, objectIn, type Step } from './case.ts';
import type { Change } from './scope.ts';

/** Options of writes. Most have none. */
const writeQueries = [
  ...['', '', '', '', '', '?fieldValidation=Strict', '?fieldValidation=Warn', '?fieldValidation=Ignore'],
  ...['?fieldManager=query', '?dryRun=All', '?pretty=true', '?fieldValidation=Odd', '?dryRun=Some'],
];
const managers = ['alice', 'bob/v1.0 (linux)', 'carol'];
const verbs: readonly UpdateVerb[] = ['put', 'json', 'merge', 'strategic'];

export function createStep(collection: string, body: Json, random: Random): Step {
  const path = collection + random.pick(writeQueries);
  const isDry = path.includes('dryRun');
  return { method: 'POST', path, body, manager: random.pick(managers), ...(!isDry && { creates: collection }) };
}

/** The path of the object in an answer. Undefined when there is none. */
export function itemPath(collection: string, created: number, suffix = '') {
  return (answers: Answers): string | undefined => {
    const metadata = objectIn(answers, created)?.metadata;
    if (!isObject(metadata) || typeof metadata.name !== 'string') return undefined;
    return `${collection}/${encodeURIComponent(metadata.name)}${suffix}`;
  };
}

export interface UpdateOptions {
  readonly collection: string;
  readonly schema: StructSchema;
  /** The number of the step that answered with the live object. */
  readonly base: number;
  readonly change: Change;
  readonly subresource?: string;
}

/** Writes a change of the live object by any verb. */
export function updateStep({ collection, schema, base, change, subresource }: UpdateOptions, random: Random): Step {
  const verb = random.pick(verbs);
  const suffix = `${subresource === undefined ? '' : `/${subresource}`}${random.pick(writeQueries)}`;
  return {
    method: verb === 'put' ? 'PUT' : 'PATCH',
    path: itemPath(collection, base, suffix),
    ...(verb !== 'put' && { type: patchTypes[verb] }),
    manager: random.pick(managers),
    body: (answers) => {
      const live = objectIn(answers, base);
      if (live === undefined) return undefined;
      const next = change(live);
      return verb === 'put' ? next : patchFor(verb, { schema, live, next });
    },
  };
}

/** Applies a configuration with server-side apply. It may create the object. */
export function applyStep(collection: string, body: JsonObject, random: Random): Step {
  const name = String((body.metadata as JsonObject | undefined)?.name);
  const force = random.pick(['', '', '&force=true', '&force=true', '&dryRun=All', '&fieldValidation=Strict']);
  const path = `${collection}/${encodeURIComponent(name)}?fieldManager=${random.pick(managers).split('/')[0]}${force}`;
  const creates = force.includes('dryRun') ? {} : { creates: collection };
  return { method: 'PATCH', path, body, type: patchTypes.apply, ...creates };
}

const deleteQueries = [
  ...['', '', '?propagationPolicy=Foreground', '?propagationPolicy=Orphan', '?propagationPolicy=Odd', '?dryRun=All'],
  ...['?gracePeriodSeconds=0', '?gracePeriodSeconds=-1', '?orphanDependents=true', '?gracePeriodSeconds=x'],
];

/** Deletes an object, sometimes with preconditions. */
export function deleteStep(collection: string, created: number, random: Random): Step {
  const path = itemPath(collection, created, random.pick(deleteQueries));
  const way = random.below(4);
  if (way > 1) return { method: 'DELETE', path };
  return {
    method: 'DELETE',
    path,
    body: (answers) => {
      const { uid, resourceVersion } = (objectIn(answers, created)?.metadata ?? {}) as JsonObject;
      const preconditions: JsonObject =
        way === 0 ? { uid: uid ?? null } : { uid: 'other', resourceVersion: resourceVersion ?? null };
      return { kind: 'DeleteOptions', apiVersion: 'v1', preconditions };
    },
  };
}
