import type { FieldOptions, StructSchema } from '../../src/schema/model.ts';
import { fieldProblem } from './cause-fields.ts';
import { type Invariant, isExpected, type Violation } from './exceptions.ts';
import type { InvariantsServer, Sent, TestResponse } from './invariants-server.ts';
import { differences, isObject, isSame, type Json, type JsonObject, short } from './json.ts';
import { mergePatch, strategicPatch } from './merge-patch.ts';
import { type Elements, hasField, isZero, leavesOf, ownedFields } from './owned-fields.ts';
import type { Subject } from './subjects.ts';

export interface UpdateOptions {
  readonly verb: UpdateVerb;
  readonly subresource?: string;
  /** The schema of the view, if the subresource has another kind. */
  readonly schema?: StructSchema;
}

export interface ActOptions {
  readonly subresource: string;
  readonly schema: StructSchema;
}

export type UpdateVerb = 'put' | 'json' | 'merge' | 'strategic';

/** The content types of patches. */
export const patchTypes: Readonly<Record<Exclude<UpdateVerb, 'put'> | 'apply', string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Executes writes of one kind and collects violations. */
export class Cases {
  readonly #api: InvariantsServer;
  readonly #subject: Subject;
  readonly violations: Violation[] = [];
  readonly counts = { accepted: 0, refused: 0 };
  /** The description of the current case. */
  what = '';

  constructor(api: InvariantsServer, subject: Subject) {
    this.#api = api;
    this.#subject = subject;
  }

  report(invariant: Invariant, detail: string): void {
    const { group, version, kind } = this.#subject.definition;
    const violation = { invariant, kind: `${group}/${version} ${kind}`, what: this.what, detail };
    if (!isExpected(violation)) this.violations.push(violation);
  }

  /** Sends a POST. Writing an accepted object back must not change it. Returns the created object. */
  async create(sent: JsonObject): Promise<JsonObject | undefined> {
    const { collection } = this.#subject;
    const response = await this.#write({ method: 'POST', path: collection, body: sent }, sent);
    if (response === undefined) return undefined;
    const created = response.body as JsonObject;
    const item = this.item(created);
    const got = await this.#api.call({ method: 'GET', path: item });
    if (got.text !== response.text && !this.#isSettling()) {
      this.report('accepted again unchanged', `GET differs: ${differences(response.body, got.body).join('; ')}`);
    }
    this.#checkOwners(got.body, { written: 'POST' });
    await this.unchanged(item);
    return got.body;
  }

  /** Sends a PUT for an object that does not exist. */
  async createByPut(sent: JsonObject): Promise<JsonObject | undefined> {
    return (await this.#write({ method: 'PUT', path: this.item(sent), body: sent }, sent))?.body;
  }

  /** Writes the current object unchanged, in every version and with every verb. */
  async unchanged(item: string, subresource = ''): Promise<void> {
    const { collection, otherVersions } = this.#subject;
    const paths = [item, ...otherVersions.map((other) => item.replace(collection, other))];
    for (const path of paths.map((one) => one + subresource)) {
      const before = await this.#api.call({ method: 'GET', path });
      const attempts: Sent[] = [{ method: 'PUT', path, body: before.text }];
      if (path === item) {
        attempts.push({ method: 'PATCH', path, body: {}, type: patchTypes.merge });
        attempts.push({ method: 'PATCH', path, body: {}, type: patchTypes.strategic });
        attempts.push({ method: 'PATCH', path, body: [], type: patchTypes.json });
      }
      for (const attempt of attempts) {
        const again = await this.#api.call({ ...attempt, manager: 'another' });
        if (again.status === 200 && again.text === before.text) continue;
        const detail = again.status === 200 ? differences(before.body, again.body).join('; ') : short(again.body);
        const type = attempt.type ?? '';
        this.report('accepted again unchanged', `${attempt.method} ${path} ${type} ${again.status} ${detail}`);
        break;
      }
    }
  }

  /** Returns the object as a subresource shows it. */
  async view(object: JsonObject, subresource: string): Promise<JsonObject> {
    return (await this.#api.call({ method: 'GET', path: `${this.item(object)}/${subresource}` })).body;
  }

  /** Replaces the live object, or a view of it, with one verb. Returns the result. */
  async update(live: JsonObject, next: JsonObject, { verb, subresource = '', schema }: UpdateOptions) {
    const item = this.item(live);
    const kind = schema ?? this.#subject.definition.schema;
    const path = subresource === '' ? item : `${item}/${subresource}`;
    const request: Sent =
      verb === 'put'
        ? { method: 'PUT', path, body: next }
        : { method: 'PATCH', path, body: patchFor(verb, { schema: kind, live, next }), type: patchTypes[verb] };
    const response = await this.#write({ ...request, manager: 'updater' }, next, kind);
    if (response === undefined) return undefined;
    const got = await this.#api.call({ method: 'GET', path: subresource === 'finalize' ? item : path });
    if (got.text !== response.text && !this.#isSettling()) {
      this.report('accepted again unchanged', `GET differs: ${differences(response.body, got.body).join('; ')}`);
    }
    const whole = subresource === '' ? got : await this.#api.call({ method: 'GET', path: item });
    this.#checkOwners(whole.body, { written: `${verb} ${subresource}` });
    if (subresource === '') this.#checkGeneration(live, whole.body);
    return got.body as JsonObject;
  }

  /** Sends a POST to a subresource that acts on the object. */
  async act(object: JsonObject, sent: JsonObject, { subresource, schema }: ActOptions): Promise<void> {
    await this.#write({ method: 'POST', path: `${this.item(object)}/${subresource}`, body: sent }, sent, schema);
  }

  /** Applies a whole configuration with server-side apply. */
  async apply(sent: JsonObject, name: string): Promise<JsonObject | undefined> {
    const { definition, collection } = this.#subject;
    const { group, version, kind } = definition;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const path = `${collection}/${encodeURIComponent(name)}?fieldManager=applier&force=true`;
    const body = { ...sent, apiVersion, kind };
    const request: Sent = { method: 'PATCH', path, body, type: patchTypes.apply };
    const response = await this.#write(request, sent);
    if (response === undefined) return undefined;
    this.#checkOwners(response.body, { written: 'apply', applied: body });
    const again = await this.#api.call(request);
    if (again.text !== response.text && !this.#isSettling()) {
      const detail = again.status === 200 ? differences(response.body, again.body).join('; ') : short(again.body);
      this.report('accepted again unchanged', `apply ${again.status} ${detail}`);
    }
    return response.body;
  }

  /** Creates a valid object, with a status if its type has one. */
  async prepare(object: JsonObject, status?: Json): Promise<JsonObject> {
    const created = await this.#api.call({ method: 'POST', path: this.#subject.collection, body: object });
    if (created.status !== 200) throw new Error(`a good object is refused: ${short(created.body)}`);
    if (this.#isSettling()) return this.#until(this.item(created.body), ({ body }) => body.status?.conditions != null);
    if (status === undefined) return created.body;
    const path = `${this.item(created.body)}/status`;
    const put = await this.#api.call({ method: 'PUT', path, body: { ...created.body, status } });
    return put.status === 200 ? put.body : created.body;
  }

  /** Deletes the object, first as a dry run. */
  async remove(object: JsonObject): Promise<void> {
    await this.#write({ method: 'DELETE', path: `${this.item(object)}?gracePeriodSeconds=0` }, {});
    await this.clear(object);
  }

  /** Deletes the object with a collection delete that selects only this object. */
  async removeSelected(object: JsonObject): Promise<void> {
    const name = encodeURIComponent(String((object.metadata as JsonObject).name));
    const path = `${this.#subject.collection}?fieldSelector=metadata.name%3D${name}&gracePeriodSeconds=0`;
    const deleted = await this.#write({ method: 'DELETE', path }, {});
    if (deleted === undefined) this.report('no fault', 'the collection is not deleted');
    await this.clear(object);
  }

  /** Deletes the object if it still exists. */
  async clear(object: JsonObject): Promise<void> {
    const path = this.item(object);
    const deleted = await this.#api.call({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
    if (deleted.status === 404) return;
    const body = [{ op: 'remove', path: '/metadata/finalizers' }];
    await this.#api.call({ method: 'PATCH', path, body, type: patchTypes.json });
    if (this.#subject.definition.resource === 'namespaces') {
      const { body: left } = await this.#api.call({ method: 'GET', path });
      await this.#api.call({ method: 'PUT', path: `${path}/finalize`, body: { ...left, spec: {} } });
    }
    await this.#until(path, ({ status }) => status === 404);
  }

  async #until(path: string, isSo: (response: TestResponse) => boolean): Promise<JsonObject> {
    for (let tries = 0; ; tries++) {
      const response = await this.#api.call({ method: 'GET', path });
      if (isSo(response)) return response.body;
      if (tries > 10_000) throw new Error(`${path} stays as it is: ${this.what}`);
      await new Promise(setImmediate);
    }
  }

  item({ metadata }: JsonObject): string {
    return `${this.#subject.collection}/${encodeURIComponent(String((metadata as JsonObject).name))}`;
  }

  /** Sends the request as a dry run, and then without. Returns undefined when it is rejected. */
  async #write(request: Sent, sent: JsonObject, schema?: StructSchema): Promise<TestResponse | undefined> {
    const before = await this.#state(request);
    const dry = await this.#api.call({ ...request, path: withQuery(request.path, 'dryRun=All') });
    await this.#expectState(before, request, 'dry run');
    const real = await this.#api.call(request);
    if (dry.status !== real.status || comparable(dry) !== comparable(real)) {
      const detail = differences(JSON.parse(comparable(dry)), JSON.parse(comparable(real))).join('; ');
      this.report('dry run says the same', `${request.method} ${dry.status} ${real.status} ${detail}`);
    }
    for (const fault of this.#api.faults.splice(0)) this.report('no fault', fault);
    if (real.status < 300) {
      this.counts.accepted++;
      return real;
    }
    this.counts.refused++;
    if (real.status >= 500) this.report('no fault', `${request.method} ${short(real.body)}`);
    await this.#expectState(before, request, `refused with ${real.status}`);
    this.#checkCauses(real, sent, schema ?? this.#subject.definition.schema);
    return undefined;
  }

  async #state({ method, path }: Sent): Promise<{ revision: string; text: string }> {
    const revision = await this.#api.revision();
    if (method === 'POST') return { revision, text: '' };
    const { text } = await this.#api.call({ method: 'GET', path: path.split('?')[0]! });
    return { revision, text };
  }

  async #expectState(before: { revision: string; text: string }, request: Sent, why: string): Promise<void> {
    if (this.#isSettling()) return;
    const after = await this.#state(request);
    if (after.text !== before.text) this.report('refusal changes nothing', `${request.method} ${why}: object changed`);
    if (after.revision === before.revision) return;
    const changes = await this.#api.changesSince(before.revision);
    // The server registers the groups of custom types some time after their creation.
    if (changes.length > 0 && changes.every((change) => change.includes('/apiservices '))) return;
    this.report('refusal changes nothing', `${request.method} ${why}: ${changes.join(', ')}`);
  }

  /** Whether the server writes the object soon after its creation, as it does with the status of definitions. */
  #isSettling(): boolean {
    return this.#subject.definition.resource === 'customresourcedefinitions';
  }

  #checkCauses({ status, body }: TestResponse, sent: JsonObject, schema: StructSchema): void {
    if (status !== 422) return;
    const causes = body.details?.causes as { field?: string; message?: string }[] | undefined;
    if (causes === undefined) this.report('causes name fields', `no causes: ${body.message}`);
    for (const { field = '', message } of causes ?? []) {
      // The result of the patch is not an object of the kind.
      if (field === 'patch') continue;
      const problem = fieldProblem(field, schema, sent);
      if (problem !== undefined) this.report('causes name fields', `${problem} (${message})`);
    }
  }

  #checkOwners(object: JsonObject, { written, applied }: { written: string; applied?: JsonObject }): void {
    const { schema, subresources } = this.#subject.definition;
    const options: FieldOptions = {};
    const invariant = 'managed fields cover the object';
    const owned = new Set<string>();
    // An object that was created without owned fields is not tracked until it is applied.
    if (ownedFields(object).length === 0) return;
    for (const { manager, operation, subresource, paths } of ownedFields(object)) {
      for (const path of paths) {
        owned.add(path.join(' '));
        if (hasField(schema, options, object, path)) continue;
        // Appliers also own empty values that the object does not keep.
        if (applied !== undefined && isNothing(applied, path)) continue;
        this.report(invariant, `${written}: ${manager} ${operation} ${subresource} owns absent ${path.join(' ')}`);
      }
    }
    const hasStatus = subresources.some(({ name }) => name === 'status');
    for (const { path, value, mayBeUnset } of leavesOf(schema, applied ?? object)) {
      if (hasStatus && path[0] === 'f:status') continue;
      if (owned.has(path.join(' ')) || mayBeUnset || (applied !== undefined && isZero(value))) continue;
      this.report(invariant, `${written}: nobody owns ${path.join(' ')} = ${short(value)}`);
    }
  }

  /** The generation counts the changes of the desired state. */
  #checkGeneration(before: JsonObject, after: JsonObject): void {
    if (!this.#subject.definition.rules.generation) return;
    const desired = ({ metadata: _metadata, status: _status, ...rest }: JsonObject): JsonObject => rest;
    const generation = ({ metadata }: JsonObject): number => Number((metadata as JsonObject).generation);
    const expected = generation(before) + (isSame(desired(before), desired(after)) ? 0 : 1);
    const counted = generation(after);
    if (counted !== expected) this.report('generation counts changes', `${counted} instead of ${expected}`);
  }

  /** Compares the parts of two objects that users control. */
  same(invariant: Invariant, left: JsonObject, right: JsonObject, detail: string): void {
    const one = JSON.parse(comparable({ body: left, text: JSON.stringify(left) }, true)) as Json;
    const other = JSON.parse(comparable({ body: right, text: JSON.stringify(right) }, true)) as Json;
    if (isSame(one, other)) return;
    this.report(invariant, `${detail}: ${differences(one, other).join('; ')}`);
  }
}

/** Whether the applied configuration has an empty value at the path. Objects do not keep such values. */
function isNothing(applied: Json, path: Elements): boolean {
  let value: Json | undefined = applied;
  for (const element of path) {
    if (!element.startsWith('f:')) return true;
    value = isObject(value) ? value[element.slice(2)] : undefined;
  }
  return value === undefined || isZero(value);
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Times that the server sets are not before this one, even when a fast clock restarts (`test/clock`). */
const started = Date.now() - 2 * 60 * 60_000;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Returns the document without the values that differ for every object or write. */
function comparable({ body, text }: Pick<TestResponse, 'body' | 'text'>, ownOnly = false): string {
  const uid = body?.metadata?.uid;
  const known = typeof uid === 'string' && uid !== '' ? text.replaceAll(uid, '<uid>') : text;
  const copy = JSON.parse(known.replace(times, (time) => (Date.parse(time) >= started ? '<now>' : time)));
  const { metadata } = copy;
  if (typeof metadata === 'object' && metadata !== null) {
    delete metadata.resourceVersion;
    delete metadata.creationTimestamp;
    delete metadata.deletionTimestamp;
    if (metadata.generateName !== undefined) delete metadata.name;
    if (ownOnly) {
      delete metadata.generation;
      delete metadata.managedFields;
      // The server sets the status soon after the creation.
      if (copy.kind === 'CustomResourceDefinition') delete copy.status;
    }
    for (const entry of metadata.managedFields ?? []) delete entry.time;
  }
  if (copy.kind === 'Status') delete copy.details?.uid;
  if (copy.kind === 'TokenRequest' && copy.status?.token) copy.status.token = '<token>';
  return JSON.stringify(copy);
}

/** Returns a patch that changes the live object into the next one. */
export function patchFor(verb: Exclude<UpdateVerb, 'put'>, { schema, live, next }: PatchSource): Json {
  if (verb === 'merge') return mergePatch(live, next);
  if (verb === 'strategic') return strategicPatch(schema, live, next) ?? mergePatch(live, next);
  const names = new Set([...Object.keys(live), ...Object.keys(next)]);
  return [...names]
    .filter((name) => !isSame(live[name], next[name]))
    .map((name): JsonObject => {
      const value = next[name];
      return value === undefined ? { op: 'remove', path: `/${name}` } : { op: 'add', path: `/${name}`, value };
    });
}

interface PatchSource {
  readonly schema: StructSchema;
  readonly live: JsonObject;
  readonly next: JsonObject;
}
