import { expect, test } from 'vitest';
import { field, string, struct } from '../../schema/builders.ts';
import { subresourceKind } from '../decodable-kind.ts';
import { kindProblem } from './patched-kind.ts';

const ship = subresourceKind({
  group: 'sea.example',
  version: 'v1',
  kind: 'Ship',
  schema: struct('sea/v1.Ship', () => ({ name: field(1, string) })),
  knownKind: ({ kind }) => (kind === 'Buoy' ? { group: 'example.com' } : undefined),
});

const unreadable = "couldn't get version/kind; json parse error: json: cannot unmarshal";

test.each<[unknown, string | undefined]>([
  [{ kind: 'Ship', apiVersion: 'sea.example/v1' }, undefined],
  [{}, undefined],
  [{ kind: null, apiVersion: '' }, undefined],
  [
    { kind: 'Boat' },
    'no kind "Boat" is registered for version "sea.example/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    { kind: 'Ship', apiVersion: 'v2' },
    'no kind "Ship" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [{ kind: 'Buoy' }, 'converting (v1.Buoy) to (sea.Ship): unknown conversion'],
  [{ kind: 5 }, `${unreadable} number into Go struct field .kind of type string`],
  [{ apiVersion: [] }, `${unreadable} array into Go struct field .apiVersion of type string`],
  [
    [],
    `${unreadable} array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  ],
])('%j', (document, problem) => {
  expect(kindProblem(ship, document)).toBe(problem);
});

test('a type of the aggregator is in another scheme', () => {
  const service = subresourceKind({
    group: 'apiregistration.k8s.io',
    version: 'v1',
    kind: 'APIService',
    schema: struct('apiregistration/v1.APIService', () => ({ name: field(1, string) })),
    knownKind: () => undefined,
  });
  expect(kindProblem(service, { kind: 'Wrong' })).toBe(
    'no kind "Wrong" is registered for version "apiregistration.k8s.io/v1" in scheme "pkg/apiserver/scheme/scheme.go:28"',
  );
});
