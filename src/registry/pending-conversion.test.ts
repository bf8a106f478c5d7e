import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { untilReady } from '../meta/pending.ts';
import { PendingConversions } from './pending-conversion.ts';

const object: ResourceObject = { kind: 'K', apiVersion: 'g/v1', metadata: { name: 'a' } };

function conversions(fails = false) {
  const calls: string[] = [];
  const made = new PendingConversions({
    isSynchronous: false,
    async convert(objects, apiVersion) {
      calls.push(apiVersion);
      if (fails) throw new Error('refused');
      return objects.map((each) => ({ ...each, apiVersion }));
    },
  });
  return { made, calls };
}

it('starts work again until it has all conversions, each made once', async () => {
  const { made, calls } = conversions();
  let starts = 0;
  const work = () => {
    starts++;
    return ['g/v2', 'g/v1', 'g/v3', 'g/v2'].map((version) => made.convert(object, version).apiVersion);
  };
  await expect(untilReady(work)).resolves.toEqual(['g/v2', 'g/v1', 'g/v3', 'g/v2']);
  expect({ starts, calls }).toEqual({ starts: 3, calls: ['g/v2', 'g/v3'] });
});

it('starts asynchronous work again, too', async () => {
  const { made } = conversions();
  await expect(untilReady(async () => made.convert(object, 'g/v2').apiVersion)).resolves.toBe('g/v2');
});

it('is synchronous when nothing has to be converted', () => {
  expect(untilReady(() => conversions().made.convert(object, 'g/v1'))).toBe(object);
});

it('fails as the conversion does', async () => {
  const { made } = conversions(true);
  await expect(untilReady(() => made.convert(object, 'g/v2'))).rejects.toThrow('refused');
});

it('fails as the work does', () => {
  const work = (): string => {
    throw new RangeError('no');
  };
  expect(() => untilReady(work)).toThrow(RangeError);
});
