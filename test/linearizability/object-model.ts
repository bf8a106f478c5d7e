import type { Model, Operation } from './operation.ts';

export type ObjectData = Readonly<Record<string, string>>;

/** An object in a response. */
export interface ObjectContent {
  readonly uid: string;
  readonly version: number;
  readonly data: ObjectData;
}

/** A request for the objects of one namespace. A version or a uid is a precondition. */
export type ObjectInput = { readonly namespace: string } & (
  | { readonly verb: 'list' }
  | { readonly verb: 'get'; readonly name: string }
  | { readonly verb: 'create'; readonly name: string; readonly data: ObjectData }
  | { readonly verb: 'update'; readonly name: string; readonly data: ObjectData; readonly version?: number }
  /** A merge patch. Null removes a field. */
  | { readonly verb: 'patch'; readonly name: string; readonly data: MergedData; readonly version?: number }
  | { readonly verb: 'delete'; readonly name: string; readonly version?: number; readonly uid?: string }
);

type MergedData = Readonly<Record<string, string | null>>;

export type ObjectOutput =
  | { readonly kind: 'object'; readonly object: ObjectContent }
  | { readonly kind: 'list'; readonly version: number; readonly items: ReadonlyMap<string, ObjectContent> }
  | { readonly kind: 'deleted'; readonly uid: string }
  /** 404, 409 AlreadyExists or 409 Conflict. */
  | { readonly kind: 'exists' | 'absent' | 'conflict' };

export type ObjectOperation = Operation<ObjectInput, ObjectOutput>;

/** The uid and the version of a write without a response are unknown until a response shows them. */
interface KnownObject {
  readonly uid: string | undefined;
  /** The range of the version. The version is known if both are the same. */
  readonly min: number;
  readonly max: number;
  readonly data: ObjectData;
}

export interface NamespaceState {
  /** All later writes have a higher version. */
  readonly floor: number;
  readonly objects: ReadonlyMap<string, KnownObject>;
  /** Equal for equal states. */
  readonly key: string;
}

/**
 * Models all objects of one type in one namespace as one register, so that a list reads all of them at one moment.
 * Versions are part of the model: each write has a higher version than all before, and a list has at least the version
 * of the last write.
 */
export const objectModel: Model<NamespaceState, ObjectInput, ObjectOutput> = {
  initial: stateOf(0, new Map()),
  step: (state, { input, output }) => {
    if (input.verb === 'list') return output?.kind === 'list' ? list(state, output) : undefined;
    const known = state.objects.get(input.name);
    if (input.verb === 'get') return output === undefined ? undefined : get(state, { name: input.name, known, output });
    return isRefused(output) ? refuse(state, { input, known, output }) : write(state, { input, known, output });
  },
  keyOf: ({ key }) => key,
  rank: ({ output }) => {
    if (output?.kind === 'object') return output.object.version;
    return output?.kind === 'list' ? output.version : undefined;
  },
  reads: ({ input, output }) => input.verb === 'get' || input.verb === 'list' || isRefused(output),
  describe,
  describeState: ({ floor, objects }) => {
    const lines = [...objects].map(([name, { uid = '?', min, max, data }]) => {
      const version = min === max ? String(min) : `${min} to ${max === Number.POSITIVE_INFINITY ? '?' : max}`;
      return `${name} at ${version} (uid ${uid.slice(0, 8)}) ${JSON.stringify(data)}`;
    });
    return `at least ${floor}: ${lines.join(', ') || 'no objects'}`;
  },
};

type Refusal = { readonly kind: 'exists' | 'absent' | 'conflict' };
type Write = Exclude<ObjectInput, { readonly verb: 'get' | 'list' }>;

function isRefused(output: ObjectOutput | undefined): output is Refusal {
  return output?.kind === 'exists' || output?.kind === 'absent' || output?.kind === 'conflict';
}

function stateOf(floor: number, objects: ReadonlyMap<string, KnownObject>): NamespaceState {
  const keys = [...objects].map(([name, { uid, min, max, data }]) => [name, uid, min, max, data]);
  return { floor, objects, key: JSON.stringify([floor, keys.sort((one, other) => (one[0]! < other[0]! ? -1 : 1))]) };
}

interface Applied<Input, Output> {
  readonly input: Input;
  readonly known: KnownObject | undefined;
  readonly output: Output;
}

function list(
  { floor, objects }: NamespaceState,
  { version, items }: { readonly version: number; readonly items: ReadonlyMap<string, ObjectContent> },
): NamespaceState | undefined {
  if (version < floor || items.size !== objects.size) return undefined;
  const seen = new Map<string, KnownObject>();
  for (const [name, content] of items) {
    const object = see(objects.get(name), content);
    if (object === undefined || object.max > version) return undefined;
    seen.set(name, object);
  }
  return stateOf(version, seen);
}

function get(
  state: NamespaceState,
  { name, known, output }: { name: string; known: KnownObject | undefined; output: ObjectOutput },
): NamespaceState | undefined {
  if (output.kind === 'absent') return known === undefined ? state : undefined;
  if (output.kind !== 'object') return undefined;
  const seen = see(known, output.object);
  if (seen === undefined) return undefined;
  // The object was already known completely, as in most reads, so the state does not change.
  if (known?.uid !== undefined && known.min === known.max) return state;
  return stateOf(Math.max(state.floor, seen.min), new Map(state.objects).set(name, seen));
}

/** Returns the object with the information of a response, or undefined if the response does not match. */
function see(known: KnownObject | undefined, { uid, version, data }: ObjectContent): KnownObject | undefined {
  if (known === undefined || (known.uid !== undefined && known.uid !== uid)) return undefined;
  if (version < known.min || version > known.max || !sameData(known.data, data)) return undefined;
  return { uid, min: version, max: version, data };
}

/** A rejection changes nothing, but the state must justify it. */
function refuse(state: NamespaceState, { input, known, output }: Applied<Write, Refusal>): NamespaceState | undefined {
  if (output.kind === 'exists') return input.verb === 'create' && known !== undefined ? state : undefined;
  if (output.kind === 'absent') {
    const creates = input.verb === 'create' || (input.verb === 'update' && input.version === undefined);
    return known === undefined && !creates ? state : undefined;
  }
  if (known === undefined || input.verb === 'create') return undefined;
  // A patch without a version fails if other writes are always faster.
  return input.verb === 'patch' && input.version === undefined ? state : fits(known, input) ? undefined : state;
}

function write(
  state: NamespaceState,
  { input, known, output }: Applied<Write, ObjectOutput | undefined>,
): NamespaceState | undefined {
  if (known === undefined) {
    // An update without a version creates an absent object.
    const creates = input.verb === 'create' || (input.verb === 'update' && input.version === undefined);
    return creates ? put(state, { input, data: input.data, uid: undefined, output }) : undefined;
  }
  if (input.verb === 'create' || !fits(known, input)) return undefined;
  if (input.verb === 'delete') return remove(state, { input, known, output });
  const data = input.verb === 'update' ? input.data : merged(known.data, input.data);
  return put(state, { input, data, uid: known.uid, output });
}

/** Whether the preconditions hold. Clients know versions only from responses, so an unseen version never matches. */
function fits(known: KnownObject, input: Write): boolean {
  if (input.verb === 'delete' && input.uid !== undefined && input.uid !== known.uid) return false;
  if (!('version' in input) || input.version === undefined) return true;
  return known.min === known.max && known.min === input.version;
}

interface Put {
  readonly input: Write;
  readonly data: ObjectData;
  readonly uid: string | undefined;
  readonly output: ObjectOutput | undefined;
}

function put({ floor, objects }: NamespaceState, { input, data, uid, output }: Put): NamespaceState | undefined {
  if (output === undefined) {
    const unseen = { uid, min: floor + 1, max: Number.POSITIVE_INFINITY, data };
    return stateOf(floor + 1, new Map(objects).set(input.name, unseen));
  }
  if (output.kind !== 'object') return undefined;
  const { object } = output;
  if (object.version <= floor || !sameData(object.data, data) || (uid !== undefined && uid !== object.uid)) {
    return undefined;
  }
  const next = new Map<string, KnownObject>();
  // Earlier writes have a lower version.
  for (const [name, other] of objects) next.set(name, { ...other, max: Math.min(other.max, object.version - 1) });
  next.set(input.name, { uid: object.uid, min: object.version, max: object.version, data });
  return stateOf(object.version, next);
}

/** Responses to deletions contain no version. */
function remove(
  { floor, objects }: NamespaceState,
  { input, known, output }: Applied<Write, ObjectOutput | undefined> & { readonly known: KnownObject },
): NamespaceState | undefined {
  if (output !== undefined) {
    if (output.kind !== 'deleted' || (known.uid !== undefined && known.uid !== output.uid)) return undefined;
  }
  const rest = new Map(objects);
  rest.delete(input.name);
  return stateOf(floor + 1, rest);
}

function merged(data: ObjectData, patch: MergedData): ObjectData {
  const entries = Object.entries({ ...data, ...patch }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sameData(one: ObjectData, other: ObjectData): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function describe({ input, output }: ObjectOperation): string {
  const { namespace: _namespace, verb, ...given } = input;
  const words = [verb, ...('name' in given ? [given.name] : [])];
  if ('data' in given) words.push(JSON.stringify(given.data));
  if ('version' in given && given.version !== undefined) words.push(`if at ${given.version}`);
  if ('uid' in given && given.uid !== undefined) words.push(`if its uid is ${given.uid.slice(0, 8)}`);
  return `${words.join(' ')}: ${output === undefined ? '?' : describeOutput(output)}`;
}

function describeOutput(output: ObjectOutput): string {
  if (output.kind === 'object') return describeContent(output.object);
  if (output.kind === 'deleted') return `deleted (uid ${output.uid.slice(0, 8)})`;
  if (output.kind !== 'list') return output.kind;
  const items = [...output.items].map(([name, content]) => `${name} ${describeContent(content)}`);
  return `${items.join(', ') || 'no objects'}, all at ${output.version}`;
}

function describeContent({ uid, version, data }: ObjectContent): string {
  return `at ${version} (uid ${uid.slice(0, 8)}) ${JSON.stringify(data)}`;
}
