import { expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { field, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import { afterUpdate } from './after-update.ts';
import { type ApplyOptions, apply } from './apply.ts';
import { describeConflicts } from './conflict.ts';
import { kindShape } from './shape.ts';
import type { ToVersion } from './version-view.ts';

// The first version has the fields at the top level, the second has them in `spec`.
const First = struct('sea/v1.Boat', () => ({
  metadata: field(1, ObjectMeta),
  name: field(2, string, { pointer: true }),
  oars: field(3, string, { pointer: true }),
}));
const Second = struct('sea/v2.Boat', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, BoatSpec, { pointer: true }),
}));
const BoatSpec = struct('sea/v2.BoatSpec', () => ({
  name: field(1, string, { pointer: true }),
  oars: field(2, string, { pointer: true }),
}));

const shapes = { 'sea/v1': kindShape(First), 'sea/v2': kindShape(Second) };

const toVersion: ToVersion = (object, apiVersion) => {
  if (apiVersion !== 'sea/v1' && apiVersion !== 'sea/v2') return undefined;
  if (object.apiVersion === apiVersion) return { shape: shapes[apiVersion], object };
  const { metadata, kind } = object;
  const { name, oars } = (object.apiVersion === 'sea/v1' ? object : (object.spec ?? {})) as Record<string, unknown>;
  const fields = { ...(name !== undefined && { name }), ...(oars !== undefined && { oars }) };
  const content = apiVersion === 'sea/v1' ? fields : { spec: fields };
  return { shape: shapes[apiVersion], object: { kind, apiVersion, metadata, ...content } };
};

type Version = keyof typeof shapes;
let seconds = 0;
const request = (apiVersion: Version, manager: string) => {
  seconds++;
  return { shape: shapes[apiVersion], apiVersion, manager, time: new Date(seconds * 1000).toISOString(), toVersion };
};
const inVersion = (object: ResourceObject, apiVersion: Version) =>
  toVersion(object, apiVersion)!.object as ResourceObject;

function applied(
  live: ResourceObject | undefined,
  apiVersion: Version,
  rest: object,
  options: Partial<ApplyOptions> = {},
) {
  const config = { apiVersion, kind: 'Boat', metadata: { name: 'x' }, ...rest } as ResourceObject;
  const result = apply({
    ...request(apiVersion, 'm'),
    live: live && inVersion(live, apiVersion),
    applied: config,
    force: false,
    ...options,
  });
  return result.outcome === 'applied' ? result.object : describeConflicts(result.conflicts).message;
}

const owners = (object: ResourceObject) =>
  ((object.metadata.managedFields ?? []) as Record<string, unknown>[]).map(
    ({ manager, apiVersion, fieldsV1 }) => `${manager} ${apiVersion} ${JSON.stringify(fieldsV1)}`,
  );

const first = () => applied(undefined, 'sea/v1', { name: 'n', oars: 'two' }) as ResourceObject;

test('an applier can switch to another version', () => {
  const next = applied(first(), 'sea/v2', { spec: { name: 'm' } }) as ResourceObject;
  expect(owners(next)).toEqual(['m sea/v2 {"f:spec":{"f:name":{}}}']);
  expect(next.spec).toEqual({ name: 'm' });
});

test('a conflict uses the field names of the version of the owner', () => {
  expect(applied(first(), 'sea/v2', { spec: { name: 'o' } }, { manager: 'other' })).toBe(
    'Apply failed with 1 conflict: conflict with "m": .name',
  );
});

test('fields owned in another version are not removed', () => {
  const shared = applied(first(), 'sea/v2', { spec: { oars: 'two' } }, { manager: 'other' }) as ResourceObject;
  const next = applied(shared, 'sea/v1', { name: 'n' }) as ResourceObject;
  expect(owners(next)).toEqual(['other sea/v2 {"f:spec":{"f:oars":{}}}', 'm sea/v1 {"f:name":{}}']);
  expect(next.oars).toBe('two');
});

test('an update takes fields from owners in another version', () => {
  const live = inVersion(first(), 'sea/v2');
  const next = { ...live, spec: { name: 'm', oars: 'two' } };
  const managedFields = afterUpdate({
    ...request('sea/v2', 'u'),
    live: { ...live, metadata: { ...live.metadata, uid: 'u' } },
    next,
  });
  expect(owners({ metadata: { managedFields: managedFields as unknown[] } })).toEqual([
    'm sea/v1 {"f:oars":{}}',
    'u sea/v2 {"f:spec":{"f:name":{}}}',
  ]);
});

test('entries of a removed version are dropped', () => {
  const live = first();
  const [entry] = live.metadata.managedFields as object[];
  live.metadata.managedFields = [
    { ...entry, apiVersion: 'sea/v0' },
    { ...entry, manager: 'k' },
  ];
  expect(owners(applied(live, 'sea/v1', { name: 'o' }, { manager: 'other', force: true }) as ResourceObject)).toEqual([
    'k sea/v1 {"f:oars":{}}',
    'other sea/v1 {"f:name":{}}',
  ]);
});
