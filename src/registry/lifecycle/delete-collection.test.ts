import { expect, it } from 'vitest';
import { serverUser } from '../../meta/user.ts';
import type { DeleteCollectionRequest } from '../resource.ts';
import { builtInSet } from './built-in-set.conformance.ts';
import { everyObject, plainDelete } from './plain-requests.conformance.ts';

const namespace = 'default';
const options = { ...plainDelete, preconditions: {} };
const warn = () => {};

/** A namespace with configmaps with these names. */
async function configMaps(names: readonly string[]) {
  const set = builtInSet();
  const verbs = (resource: string) => set.find({ group: '', version: 'v1', resource })!.verbs;
  const create = async (resource: string, name: string, data = {}): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ metadata: { name }, ...data }));
    const where = { namespace: resource === 'namespaces' ? '' : namespace, name: '' };
    await verbs(resource).create!({
      ...where,
      body,
      encoding: 'json',
      dryRun: false,
      fieldValidation: 'Strict',
      user: serverUser,
      fieldManager: 'm',
      warn,
    });
  };
  await create('namespaces', namespace);
  for (const name of names) await create('configmaps', name);
  const { delete: remove, deletecollection, list } = verbs('configmaps');
  const sweep = (changes: Partial<DeleteCollectionRequest> = {}) =>
    deletecollection!({ ...everything, options, user: serverUser, warn, ...changes });
  const left = async (): Promise<string> => {
    const { items } = await list!(everything);
    return Buffer.concat([...items(Buffer.allocUnsafe)]).toString();
  };
  return {
    create,
    remove: (name: string) => remove!({ namespace, name, options, user: serverUser, warn }),
    sweep,
    left,
  };
}

const everything = { ...everyObject, namespace };
const many = Array.from({ length: 300 }, (_, index) => `n${String(index).padStart(3, '0')}`);
const last = many.at(-1)!;

it('deletes the listed objects', async () => {
  const { sweep, left } = await configMaps(many);
  await sweep();
  expect(await left()).toBe('');
});

it('does not delete a new object with the name of a listed one', async () => {
  const { create, remove, sweep, left } = await configMaps(many);
  // Fills the cache, so that the list is complete before anything changes.
  await left();
  let isSwept = false;
  const swept = sweep().then(() => {
    isSwept = true;
  });
  // This object comes last, so all of this happens before its deletion.
  await remove(last);
  await create('configmaps', last, { data: { new: 'yes' } });
  expect(isSwept).toBe(false);
  await swept;
  expect(await left()).toContain('"data":{"new":"yes"}');
});

it('ignores objects that are gone, but fails on a violated precondition', async () => {
  const { remove, sweep, left } = await configMaps(many);
  const swept = sweep();
  await remove(last);
  await swept;
  expect(await left()).toBe('');
  const other = await configMaps(['a']);
  const refused = other.sweep({ options: { ...options, preconditions: { resourceVersion: '1' } } });
  await expect(refused).rejects.toMatchObject({ status: { code: 409 } });
  expect(await other.left()).toContain('"a"');
});
