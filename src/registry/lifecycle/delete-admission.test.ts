import { expect, it } from 'vitest';
import { AdmissionChain, type AdmissionRequest } from '../../admission/index.ts';
import { forbidden } from '../../meta/status-error.ts';
import { serverUser } from '../../meta/user.ts';
import { builtInSet } from './built-in-set.conformance.ts';
import { everyObject, plainDelete } from './plain-requests.conformance.ts';

const warn = () => {};
const jane = { name: 'jane', uid: '', groups: [], extra: {} };

/** Namespaces and nodes. Those with the name `kept` cannot be deleted. */
function guarded({ isLate }: { isLate: boolean }) {
  const seen: AdmissionRequest[] = [];
  const judge = (request: AdmissionRequest): void => {
    seen.push(request);
    // The requests for the objects of a collection have no name.
    const name = request.oldObject?.metadata.name;
    if (name === 'kept') throw forbidden({ group: '', resource: 'nodes' }, name, 'it stays');
  };
  const plugin = {
    name: 'Keeper',
    rules: [{ operations: ['DELETE'], resources: ['/nodes'] } as const],
    validate: isLate ? async (request: AdmissionRequest) => judge(request) : judge,
  };
  const set = builtInSet({ admission: (objects) => new AdmissionChain([plugin], objects) });
  const { verbs } = set.find({ group: '', version: 'v1', resource: 'nodes' })!;
  const create = async (name: string): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ metadata: { name } }));
    const how = { encoding: 'json', dryRun: false, fieldValidation: 'Strict', fieldManager: 'm' } as const;
    await verbs.create!({ namespace: '', name: '', body, ...how, user: serverUser, warn });
  };
  const isThere = async (name: string) =>
    (await set.get({ group: '', version: 'v1', resource: 'nodes' }, { namespace: '', name })) !== undefined;
  return { verbs, create, isThere, seen };
}

it.each([{ isLate: false }, { isLate: true }])('runs admission before an object is deleted: %j', async (when) => {
  const { verbs, create, isThere, seen } = guarded(when);
  for (const name of ['kept', 'gone']) await create(name);
  const remove = (name: string) => verbs.delete!({ namespace: '', name, options: plainDelete, user: jane, warn });
  await expect(remove('kept')).rejects.toThrow('nodes "kept" is forbidden: it stays');
  expect(await isThere('kept')).toBe(true);
  await remove('gone');
  expect(await isThere('gone')).toBe(false);
  const about = {
    operation: 'DELETE',
    resource: { group: '', version: 'v1', resource: 'nodes' },
    subresource: '',
    user: jane,
    dryRun: false,
  };
  expect(seen).toMatchObject([
    { ...about, name: 'kept', object: { metadata: { name: 'kept' } }, oldObject: { metadata: { name: 'kept' } } },
    { ...about, name: 'gone' },
  ]);
  await expect(remove('none')).rejects.toMatchObject({ status: { code: 404 } });
  const wrong = { ...plainDelete, preconditions: { uid: 'x' } };
  const refused = verbs.delete!({ namespace: '', name: 'kept', options: wrong, user: jane, warn });
  await expect(refused).rejects.toMatchObject({ status: { code: 409 } });
  expect(seen).toHaveLength(2);
});

it('runs admission for every object of a collection', async () => {
  const { verbs, create, isThere, seen } = guarded({ isLate: false });
  for (const name of ['a', 'kept']) await create(name);
  const sweep = verbs.deletecollection!({ ...everyObject, options: plainDelete, user: jane, warn });
  await expect(sweep).rejects.toThrow('it stays');
  expect(await isThere('kept')).toBe(true);
  const judged = seen.map(({ name, user, oldObject }) => [name, oldObject?.metadata.name, user.name]);
  expect(judged).toContainEqual(['', 'kept', 'jane']);
});
