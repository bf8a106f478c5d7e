import { TokenRequest } from '../../src/resources/authentication/token-request-types.ts';
import { Binding } from '../../src/resources/core/binding-types.ts';
import { Eviction } from '../../src/resources/policy/disruption-types.ts';
import { scaleProjection } from '../../src/resources/subresources/scale.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { Random } from '../codec/random.ts';
import type { Violation } from './exceptions.ts';
import type { InvariantsServer } from './invariants-server.ts';
import { at, hasNull, isObject, type Json, type JsonObject, type Path, set, short } from './json.ts';
import { strategicPatch } from './merge-patch.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { type Place, placesOf, withValue } from './places.ts';
import { type KnownValues, PlausibleValues } from './plausible-values.ts';
import { Cases, type UpdateVerb } from './run-case.ts';
import type { Subject } from './subjects.ts';

export interface RunOptions {
  readonly seed: number;
  /** The maximum number of cases for each kind. */
  readonly cases: number;
  readonly known: KnownValues;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  readonly accepted: number;
  readonly refused: number;
}

const verbs: readonly UpdateVerb[] = ['put', 'json', 'merge', 'strategic'];

/** Mutates objects of one kind field by field and writes them by every verb. */
export async function runSubject(api: InvariantsServer, subject: Subject, options: RunOptions): Promise<Outcome> {
  const random = new Random(options.seed + numberOf(subject.collection));
  const values = new PlausibleValues(random, options.known);
  const cases = new Cases(api, subject);
  const pool = new Pool(subject, { random, values });
  for (let index = 0; index < options.cases; index++) {
    const one = pool.choose();
    const { subresource, place, mutation } = one;
    cases.what = `${subresource && `${subresource}: `}${place.path.join('.')} ${mutation.name} ${short(mutation.value)}`;
    await runOne(cases, { ...one, subject, pool, values, verb: verbs[index % verbs.length]! });
  }
  await runCollection(cases, subject);
  return { violations: cases.violations, ...cases.counts };
}

async function runCollection(cases: Cases, { definition, objects }: Subject): Promise<void> {
  if (!definition.verbs.includes('deletecollection')) return;
  cases.what = 'deletecollection';
  await cases.removeSelected(await cases.prepare(objects[0]!));
}

interface Case {
  readonly object: JsonObject;
  readonly place: Place;
  readonly mutation: Mutation;
  /** The subresource that is written. Empty for the main resource. */
  readonly subresource: string;
}

interface Start {
  readonly object: JsonObject;
  readonly meta: readonly Place[];
  readonly own: readonly Place[];
}

/** Enough to differ strongly from the first objects, and few enough that each of them is changed in several ways. */
const maxStarts = 12;

/** The objects from which cases start: those of the corpus, and accepted results of earlier cases. */
class Pool {
  readonly #subject: Subject;
  readonly #random: Random;
  readonly #values: PlausibleValues;
  readonly #starts: Start[];
  /** Statuses that earlier writes have produced. */
  readonly #statuses: Json[] = [];

  constructor(subject: Subject, { random, values }: { random: Random; values: PlausibleValues }) {
    this.#subject = subject;
    this.#random = random;
    this.#values = values;
    this.#starts = subject.objects.map((object) => this.#start(object));
  }

  choose(): Case {
    const { subresources } = this.#subject.definition;
    const random = this.#random;
    const { object, meta, own } = random.pick(this.#starts);
    const others = subresources.filter(({ name }) => name in changedBy || name in actions);
    if (others.length > 0 && random.chance(0.2)) {
      const { name } = random.pick(others);
      const change = subresourceChange(name, { object, own, random, values: this.#values });
      return { object, subresource: name, ...change };
    }
    // Metadata is chosen less often, because it is the same for all kinds.
    const place = random.pick(own.length === 0 || random.chance(0.1) ? meta : own);
    const isStatus = place.path[0] === 'status' && subresources.some(({ name }) => name === 'status');
    const mutation = random.pick(mutationsOf(place, object, this.#values));
    return { object, place, mutation, subresource: isStatus ? 'status' : '' };
  }

  /** Adds an accepted object. The objects of the corpus are not replaced. */
  add(object: JsonObject): void {
    const { length } = this.#subject.objects;
    const kept =
      this.#starts.length < maxStarts ? this.#starts.length : length + this.#random.below(maxStarts - length);
    this.#starts[kept] = this.#start(object);
  }

  addStatus(status: Json | undefined): void {
    if (status !== undefined) this.#statuses[this.#random.below(maxStarts)] = status;
  }

  /** Returns a status of an earlier write. Undefined for the status of a new object. */
  status(): Json | undefined {
    return this.#random.pick(this.#statuses.length === 0 ? [undefined] : this.#statuses);
  }

  #start(object: JsonObject): Start {
    const places = placesOf(this.#subject.definition.schema, object);
    const isMeta = ({ path }: Place): boolean => path[0] === 'metadata';
    return { object, meta: places.filter(isMeta), own: places.filter((place) => !isMeta(place)) };
  }
}

/** The fields that subresources other than the status change. `scale` has its own kind. */
const changedBy: Readonly<Record<string, string>> = {
  approval: 'status',
  ephemeralcontainers: 'spec.ephemeralContainers',
  finalize: 'spec',
  resize: 'spec.containers.0.resources',
  scale: '',
};

/** The bodies and schemas for subresources that act on the object. */
const actions: Readonly<Record<string, { readonly schema: StructSchema; readonly body: JsonObject }>> = {
  binding: { schema: Binding, body: { target: { kind: 'Node', name: 'one' } } },
  eviction: { schema: Eviction, body: { deleteOptions: { gracePeriodSeconds: 0 } } },
  token: { schema: TokenRequest, body: { spec: { audiences: ['one'], expirationSeconds: 3600 } } },
};

interface ChangeOptions {
  readonly object: JsonObject;
  readonly own: readonly Place[];
  readonly random: Random;
  readonly values: PlausibleValues;
}

function subresourceChange(
  name: string,
  { object, own, random, values }: ChangeOptions,
): { place: Place; mutation: Mutation } {
  const action = actions[name];
  if (name === 'scale' || action !== undefined) {
    const { schema, body } = action ?? { ...scaleProjection, body: {} };
    const place = random.pick(placesOf(schema, body));
    return { place, mutation: random.pick(mutationsOf(place, body, values)) };
  }
  const within = own.filter(({ path }) => `${path.join('.')}.`.startsWith(`${changedBy[name]}.`));
  const place = random.pick(random.chance(0.8) ? within : own);
  return { place, mutation: random.pick(mutationsOf(place, object, values)) };
}

/**
 * Applies the change of a case to another state of the object. If that state lacks parents of the place, they are
 * copied too.
 */
function sameChange(object: JsonObject, sent: JsonObject, path: Path): (base: JsonObject) => JsonObject {
  return (base) => {
    let depth = 1;
    const isThere = (value: Json | undefined): boolean => value !== undefined && value !== null;
    const among = [object, base];
    while (depth < path.length && among.every((one) => isThere(at(one, path.slice(0, depth))))) depth++;
    const changed = path.slice(0, depth);
    return set(base, changed, at(sent, changed));
  };
}

interface RunningCase extends Case {
  readonly subject: Subject;
  readonly pool: Pool;
  readonly values: PlausibleValues;
  readonly verb: UpdateVerb;
}

async function runOne(cases: Cases, running: RunningCase): Promise<void> {
  const { object, place, mutation, subresource, subject, values, verb } = running;
  const { path } = place;
  if (subresource === 'scale') return runScale(cases, running);
  if (subresource in actions) return runAction(cases, running);
  const sent = withValue(object, { path, kind: subject.definition.schema, values }, mutation.value);
  const change = sameChange(object, sent, path);
  if (subresource !== '') return runSubresource(cases, running, change);
  const created = await runCreate(cases, sent);
  if (created !== undefined && path[0] !== 'metadata') running.pool.add(sent);
  // A PUT without metadata has no defined result.
  if (!isObject(sent.metadata)) return;
  await runReplace(cases, running, { sent, created });
  // A merge patch cannot set a null.
  if (verb === 'json' || (verb !== 'put' && !hasNull(sent))) await runPatch(cases, running, change);
}

/** Creates the object with POST, with apply and with PUT. */
async function runCreate(cases: Cases, sent: JsonObject): Promise<JsonObject | undefined> {
  const created = await cases.create(sent);
  if (created === undefined) return undefined;
  await cases.remove(created);
  // The server generated another name, or the body requires that the object exists.
  const { name, uid, resourceVersion } = (sent.metadata ?? {}) as JsonObject;
  if (name !== at(created, ['metadata', 'name']) || uid || resourceVersion) return created;
  const applied = await cases.apply(sent, name as string);
  if (applied !== undefined) {
    cases.same('apply equals create', created, applied, 'apply');
    await cases.clear(applied);
  }
  const put = await cases.createByPut(sent);
  if (put === undefined) {
    cases.report('put equals create', 'refused');
  } else {
    cases.same('put equals create', created, put, 'put');
    await cases.clear(put);
  }
  return created;
}

/** A PUT that replaces the initial object must have the same result as a create. */
async function runReplace(
  cases: Cases,
  { object }: RunningCase,
  { sent, created }: { sent: JsonObject; created: JsonObject | undefined },
): Promise<void> {
  const base = await cases.prepare(object);
  const resourceVersion = at(base, ['metadata', 'resourceVersion'])!;
  const next = { ...sent, metadata: { ...(sent.metadata as JsonObject), resourceVersion } };
  const replaced = await cases.update(base, next, { verb: 'put' });
  if (replaced !== undefined && created !== undefined) cases.same('update equals create', created, replaced, 'put');
  await cases.clear(replaced ?? base);
}

type Change = (base: JsonObject) => JsonObject;

/** A patch of the live object must have the same result as a PUT. */
async function runPatch(cases: Cases, { object, verb, subject }: RunningCase, change: Change): Promise<void> {
  let isExact = true;
  const results: (JsonObject | undefined)[] = [];
  for (const way of ['put', verb] as const) {
    const base = await cases.prepare(object);
    const next = change(base);
    if (verb === 'strategic') isExact = strategicPatch(subject.definition.schema, base, next) !== undefined;
    const result = await cases.update(base, next, { verb: way });
    if (result !== undefined && way === verb) await cases.unchanged(cases.item(result));
    results.push(result);
    await cases.clear(result ?? base);
  }
  const [put, patched] = results;
  if (!isExact) return;
  if ((put === undefined) !== (patched === undefined)) {
    cases.report('patch equals update', `${verb} ${patched === undefined ? 'refused' : 'accepted'}`);
  } else if (put !== undefined) {
    cases.same('patch equals update', put, patched!, verb);
  }
}

async function runSubresource(cases: Cases, running: RunningCase, change: Change): Promise<void> {
  const { object, subresource } = running;
  // This subresource supports only PUT and cannot be read.
  const isWriteOnly = subresource === 'finalize';
  const verb = isWriteOnly ? 'put' : running.verb;
  const base = await cases.prepare(object, running.pool.status());
  const result = await cases.update(base, change(base), { verb, subresource });
  if (result !== undefined) {
    running.pool.addStatus(result.status);
    if (!isWriteOnly) await cases.unchanged(cases.item(result), `/${subresource}`);
    await cases.unchanged(cases.item(result));
  }
  await cases.clear(result ?? base);
}

async function runScale(cases: Cases, running: RunningCase): Promise<void> {
  const { object, place, mutation, values, verb } = running;
  const base = await cases.prepare(object);
  const scale = await cases.view(base, 'scale');
  const next = withValue(scale, { path: place.path, kind: scaleProjection.schema, values }, mutation.value);
  const result = await cases.update(scale, next, { verb, subresource: 'scale', schema: scaleProjection.schema });
  if (result !== undefined) {
    await cases.unchanged(cases.item(base), '/scale');
    await cases.unchanged(cases.item(base));
  }
  await cases.clear(base);
}

async function runAction(cases: Cases, running: RunningCase): Promise<void> {
  const { object, place, mutation, subresource, values } = running;
  const { schema, body } = actions[subresource]!;
  const base = await cases.prepare(object);
  const name = at(base, ['metadata', 'name'])!;
  const sent = withValue({ metadata: { name }, ...body }, { path: place.path, kind: schema, values }, mutation.value);
  await cases.act(base, sent, { subresource, schema });
  await cases.clear(base);
}

/** Returns a number that differs between kinds. */
function numberOf(text: string): number {
  return [...text].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7);
}
