import { expect, it } from 'vitest';
import { noMeter } from '../meta/meter.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import type { DynamicType, ResourceSet } from '../registry/resource-set.ts';
import { noneConverter } from './conversion/index.ts';
import { CustomResources } from './custom-resources.ts';

function definition(plural: string): ResourceObject {
  const names = { plural, singular: plural, kind: plural, listKind: `${plural}List` };
  return {
    metadata: { name: `${plural}.ex.io` },
    spec: { group: 'ex.io', names, scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true }] },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
}

it('withdraws types whose definitions went unnoticed while they could not be followed', async () => {
  const served = new Set<string>();
  let follower: ObjectFollower | undefined;
  const resources = {
    follow: async (_type: object, given: ObjectFollower) => {
      follower = given;
    },
    serve: ({ resource }: DynamicType) => served.add(resource),
    withdraw: ({ resource }: DynamicType) => served.delete(resource),
  } as unknown as ResourceSet;
  const changed: string[] = [];
  const custom = new CustomResources({
    resources,
    makeConverter: () => noneConverter,
    meter: noMeter,
    onDefinition: (name) => changed.push(name),
    onError: () => {},
  });
  await custom.follow(new AbortController().signal);
  const report = (...plurals: string[]): void => {
    follower!.onReset();
    for (const plural of plurals) follower!.onPut(definition(plural));
    follower!.onSynced!();
  };
  report('lamps', 'boats');
  expect([...served]).toEqual(['lamps', 'boats']);
  report('boats');
  expect([...served]).toEqual(['boats']);
  expect([...custom.definitions.keys()]).toEqual(['boats.ex.io']);
  expect(changed.at(-1)).toBe('lamps.ex.io');
});
