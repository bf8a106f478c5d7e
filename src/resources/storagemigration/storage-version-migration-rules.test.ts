import { describe, expect, it } from 'vitest';
import { storageVersionMigrationRules } from './storage-version-migration-rules.ts';

const { validate, validateStatus } = storageVersionMigrationRules;

describe('the resource of a storage version migration', () => {
  it.each([
    [{ resource: 'widgets', group: 'example.com' }, []],
    [{ resource: 'secrets' }, []],
    [{}, ['spec.resource.resource: Required value: resource is required to be set']],
    [{ resource: 'Pods/status' }, ['spec.resource.resource: Invalid value: "Pods/status": a DNS-1035 label must']],
    [
      { resource: 'pods', group: 'Not_A_Group' },
      ['spec.resource.group: Invalid value: "Not_A_Group": a lowercase RFC'],
    ],
  ])('%j has the errors %j', (resource, expected) => {
    const errors = validate!({ kind: 'K', apiVersion: 'v1', metadata: { name: 'm' }, spec: { resource } });
    expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  });
});

it.each([
  ['7', true],
  ['98765432109876543210', true],
  ['', false],
  ['0', false],
  ['07', false],
  ['-1', false],
  ['x', false],
])('the resource version %j in its status is valid: %s', (resourceVersion, isValid) => {
  const migration = { kind: 'K', apiVersion: 'v1', metadata: { name: 'm' }, status: { resourceVersion } };
  const errors = validateStatus!(migration, { ...migration, status: {} });
  const detail = `Invalid value: ${JSON.stringify(resourceVersion)}: resource version is not well formed: ${resourceVersion}`;
  expect(errors.map(({ message }) => message)).toEqual(isValid ? [] : [detail]);
});
