import { afterEach, expect, it, vi } from 'vitest';
import type { Client } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { StatusWrite } from '../registry/index.ts';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '../resources/apiextensions/custom-resource-definition-types.ts';
import { isConditionTrue } from './definition-conditions.ts';
import { DefinitionController } from './definition-controller.ts';

const group = 'ex.io';

function definition(plural: string, kind: string): ResourceObject {
  const names = { plural, singular: plural, kind, listKind: `${kind}List` };
  return {
    metadata: { name: `${plural}.${group}`, uid: plural },
    spec: { group, names, scope: 'Cluster', versions: [] },
  };
}

interface HeldWrite extends StatusWrite {
  /** Lets the write succeed, or fail with the error. */
  end(error?: Error): void;
}

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** A controller whose writes wait until the test ends them. */
function heldController(...present: ResourceObject[]) {
  const stop = new AbortController();
  stops.push(stop);
  const definitions = new Map(present.map((object) => [object.metadata.name!, object]));
  const writes: HeldWrite[] = [];
  const failures: Error[] = [];
  const controller = new DefinitionController(
    {
      client: undefined as unknown as Client,
      definitions: { definitions, definitionsOf: () => definitions },
      builtInNames: () => ({ resources: new Set(), kinds: new Set() }),
      deleteInstances: async () => true,
      writeStatus: (_type, write) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error): void => {
            if (error !== undefined) {
              reject(error);
              return;
            }
            const { name = '' } = write.object.metadata;
            definitions.set(name, { ...write.object, status: write.status });
            // The change is visible before the writer gets the response.
            controller.changed(name);
            resolve();
          };
          writes.push({ ...write, end });
        }),
      report: (error) => failures.push(error),
    },
    stop.signal,
  );
  const accepted = ({ object, status }: StatusWrite) => {
    const names: CustomResourceDefinitionNames = (status as CustomResourceDefinitionStatus).acceptedNames ?? {};
    return [object.metadata.name, names.kind, isConditionTrue({ ...object, status }, 'Established')];
  };
  return { controller, definitions, writes, failures, accepted };
}

it('writes many definitions at a time, and gives a name to one of them only', async () => {
  const { controller, definitions, writes, accepted } = heldController(
    definition('lamps', 'Lamp'),
    definition('lights', 'Lamp'),
    definition('boats', 'Boat'),
  );
  controller.start();
  // None of the writes has ended.
  expect(writes.map(accepted)).toEqual([
    ['lamps.ex.io', 'Lamp', true],
    ['lights.ex.io', undefined, false],
    ['boats.ex.io', 'Boat', true],
  ]);
  for (const write of writes.splice(0)) write.end();
  // A status that is up to date is not written again.
  controller.start();
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toEqual([]);
  definitions.delete('lamps.ex.io');
  controller.changed('lamps.ex.io');
  expect(writes.map(accepted)).toEqual([['lights.ex.io', 'Lamp', true]]);
});

it('gives back the names of a write that has failed', async () => {
  const { controller, writes, accepted, definitions } = heldController(definition('lamps', 'Lamp'));
  controller.start();
  definitions.delete('lamps.ex.io');
  writes[0]!.end(new Error('no space'));
  await new Promise((resolve) => setImmediate(resolve));
  definitions.set('lights.ex.io', definition('lights', 'Lamp'));
  controller.changed('lights.ex.io');
  expect(writes.slice(1).map(accepted)).toEqual([['lights.ex.io', 'Lamp', true]]);
});

it('decides the status of a definition that is being created', async () => {
  const { controller, writes, accepted, definitions } = heldController(definition('boats', 'Boat'));
  controller.start();
  writes.splice(0)[0]!.end();
  const lamp = definition('lamps', 'Lamp');
  const first = controller.firstStatus(lamp)!;
  expect(accepted({ ...first, object: lamp })).toEqual(['lamps.ex.io', 'Lamp', true]);
  // From now on its names are taken, and the controller does not write its status.
  const light = definition('lights', 'Lamp');
  expect(accepted({ ...controller.firstStatus(light)!, object: light })).toEqual(['lights.ex.io', undefined, false]);
  definitions.set('lamps.ex.io', lamp);
  controller.changed('lamps.ex.io');
  expect(writes).toEqual([]);
  // The status was not stored, so the controller writes it.
  first.settled('not stored');
  await vi.waitFor(() => expect(writes.map(accepted)).toEqual([['lamps.ex.io', 'Lamp', true]]));
});

it('gives back the names of a definition that was not created', () => {
  const { controller, writes, accepted } = heldController();
  const lamp = definition('lamps', 'Lamp');
  controller.firstStatus(lamp)!.settled('not stored');
  const light = definition('lights', 'Lamp');
  expect(accepted({ ...controller.firstStatus(light)!, object: light })).toEqual(['lights.ex.io', 'Lamp', true]);
  expect(writes).toEqual([]);
});

it('reports what fails, and tries again', async () => {
  const { controller, writes, failures } = heldController(definition('lamps', 'Lamp'));
  controller.start();
  writes[0]!.end(new Error('no space'));
  await vi.waitFor(() => expect(writes).toHaveLength(2));
  expect(failures).toEqual([new Error('no space')]);
});

it('does not report what fails because the definition has been removed', async () => {
  const { controller, writes, failures, definitions } = heldController(definition('lamps', 'Lamp'));
  controller.start();
  definitions.set('lamps.ex.io', { ...definition('lamps', 'Lamp'), metadata: { name: 'lamps.ex.io', uid: 'another' } });
  writes[0]!.end(new Error('aborted'));
  // The definition that has replaced it.
  controller.changed('lamps.ex.io');
  await vi.waitFor(() => expect(writes).toHaveLength(2));
  expect(failures).toEqual([]);
});
