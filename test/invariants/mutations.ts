import type { ScalarKind } from '../../src/schema/model.ts';
import { at, isObject, type Json, type JsonObject } from './json.ts';
import type { Place } from './places.ts';
import type { PlausibleValues } from './plausible-values.ts';

/** A new value for a place. */
export interface Mutation {
  readonly name: string;
  /** Undefined removes the value. */
  readonly value: Json | undefined;
}

const longText = 'x'.repeat(300);

/** Zero and empty values, boundaries and wrong types. */
const scalars: Readonly<Record<ScalarKind, readonly Json[]>> = {
  string: ['', 'Not_A-Name', ' ', longText, 'a.b/c', '-', 7],
  bool: [true, false, 'true'],
  int32: [0, 1, -1, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 1.5, '1'],
  int64: [0, 1, -1, 2 ** 31, 2 ** 53 - 1, 1.5, '1'],
  uint32: [0, 1, 2 ** 32 - 1, -1, '1'],
  float64: [0, -1.5, 1e300, '1'],
  bytes: ['', 'eA==', 'eA', '!', 7],
  time: ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00.5+02:00', 'yesterday', 7],
  microTime: ['2024-05-01T00:00:00.000000Z', '2024-05-01T00:00:00Z', 'now', 7],
  duration: ['0s', '90s', '-1h0m0s', 'long', 7],
  quantity: ['0', '-1', '1500m', '1.5Gi', '0.0001', 'much', 3, true],
  intOrString: [0, 1, -1, '0%', '50%', '101%', 'http', 'Not_A-Name', true],
  rawExtension: [{}, { a: null }, 'x', []],
  fieldsV1: [{}, 'x'],
  json: [{}, [], '', 0, false],
};

/** Returns the mutations to try at a place. */
export function mutationsOf(place: Place, object: JsonObject, values: PlausibleValues): Mutation[] {
  const { schema, field, owner } = place;
  const present = at(object, place.path);
  const mutations: Mutation[] = [{ name: 'null', value: null }];
  const add = (name: string, value: Json): void => void mutations.push({ name, value });
  if (present !== undefined) mutations.push({ name: 'absent', value: undefined });
  for (const value of field?.enum ?? []) add('enum', value);
  for (const value of values.known.of(owner, field)) add('known', value);
  add('plausible', values.smallest(schema, field, owner));
  switch (schema.type) {
    case 'scalar':
      for (const value of scalars[schema.kind]) add('scalar', value);
      break;
    case 'struct':
      add('empty', {});
      add('wrong type', 'x');
      if (schema.untagged !== true) for (let count = 0; count < 2; count++) add('some', values.some(schema));
      break;
    case 'map': {
      const value = values.smallest(schema.values);
      const entries = isObject(present) ? present : {};
      add('empty', {});
      add('wrong type', []);
      add('more', { ...entries, 'example.com/more': value });
      add('bad key', { ...entries, 'not a key!': value });
      add('empty key', { ...entries, '': value });
      break;
    }
    case 'list': {
      const items = Array.isArray(present) ? present : [];
      const item = items[0] ?? values.smallest(schema.items, field);
      const other = values.some(schema.items, field);
      add('empty', []);
      add('wrong type', {});
      add('repeated', [...items, item, item]);
      add('more', [...items, other]);
      add('null item', [...items, null]);
      // The elements have the same keys, whichever fields those are, and different other fields.
      if (isObject(item) && isObject(other)) add('same keys', [item, { ...other, ...identifying(item) }]);
      if (items.length > 1) add('reversed', items.toReversed());
      break;
    }
  }
  return mutations;
}

const keys = ['name', 'type', 'key', 'port', 'containerPort', 'protocol', 'ip', 'uid', 'mountPath', 'devicePath'];

function identifying(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
}
