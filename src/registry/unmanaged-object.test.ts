import { describe, expect, it } from 'vitest';
import { encodeJson } from '../codec/json/index.ts';
import { readUnmanaged, readUnmanagedMetadata } from './unmanaged-object.ts';

const managedFields = [{ manager: 'a', fieldsV1: { 'k:{"port":80}': { '.': {} }, 'f:"}],': {} } }, { manager: 'b' }];
const note = '"managedFields":[]},{"metadata":{';
const spec = { template: { metadata: { managedFields } }, amount: 2n ** 60n, note };

function documentOf(metadata: object, rest: object = { spec }): string {
  return `${encodeJson({ kind: 'Service', apiVersion: 'v1', metadata, ...rest })}\n`;
}

describe('the object of a document', () => {
  it.each([
    ['managed fields', documentOf({ name: 'x', uid: 'u', annotations: { note }, managedFields })],
    ['managed fields behind many others', documentOf({ name: 'x', labels: { a: 'b' }, finalizers: [], managedFields })],
    ['managed fields before all others', documentOf({ managedFields, name: 'x' })],
    ['nothing but managed fields', documentOf({ managedFields })],
    ['no managed fields', documentOf({ name: 'x', ownerReferences: [{ uid: 'o' }] })],
    ['empty metadata', documentOf({})],
    ['nothing but metadata', documentOf({ name: 'ü', managedFields }, {})],
    ['blanks in it', documentOf({ name: 'x', managedFields }).replaceAll(',', ', ')],
  ])('is read without managed fields from %s', (_what, text) => {
    const { metadata, ...rest } = JSON.parse(text.replace('1152921504606846976', '0'));
    delete metadata.managedFields;
    const document = Buffer.from(text);
    const read = readUnmanaged(document) as { spec?: object };
    if (read.spec !== undefined) expect(read.spec).toMatchObject({ amount: 2n ** 60n });
    expect({ ...read, ...(read.spec && { spec: { ...read.spec, amount: 0 } }) }).toEqual({ metadata, ...rest });
    expect(readUnmanagedMetadata(document)).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
    });
  });
});
