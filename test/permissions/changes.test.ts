import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, AskingClient } from './asking-client.ts';
import type { Rule } from './naive-evaluator.ts';
import { type KnownPerson, settle, type Town } from './people.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inA = `${rbac}/namespaces/a`;
const services = '/api/v1/namespaces/a/services';

let town: Town;
let client: AskingClient;
let alice: KnownPerson;
let dave: KnownPerson;
let bot: KnownPerson;
beforeAll(async () => {
  town = await settle();
  client = new AskingClient(town.api);
  const known = (name: string): KnownPerson => town.people.find((person) => person.name === name)!;
  [alice, dave, bot] = [known('alice'), known('dave'), known('system:serviceaccount:a:bot')];
  await town.api.post(`${inA}/roles`, { metadata: { name: 'r' }, rules: [] });
  await town.api.post(`${inA}/rolebindings`, {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' },
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'ops' },
      { kind: 'ServiceAccount', name: 'bot', namespace: 'a' },
    ],
  });
});
afterAll(async () => {
  client.close();
  await town.leave();
});

async function grant(...rules: Rule[]): Promise<void> {
  const { status } = await town.api.put(`${inA}/roles/r`, { metadata: { name: 'r' }, rules });
  expect(status).toBe(200);
}

async function denied(person: KnownPerson, asked: Asked): Promise<boolean> {
  return (await client.ask(person, asked)).denied;
}

async function exists(path: string): Promise<boolean> {
  return (await town.api.get(path)).status === 200;
}

describe('a change counts for the very next request', () => {
  const read: Asked = { method: 'GET', path: '/api/v1/namespaces/a/configmaps/x' };
  const reading: Rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
  const everybody = (): KnownPerson[] => [alice, dave, bot];
  const verdicts = () => Promise.all(everybody().map((person) => denied(person, read)));

  it('of rules', async () => {
    for (let round = 0; round < 30; round++) {
      await grant(reading);
      expect(await verdicts()).toEqual([false, false, false]);
      await grant();
      expect(await verdicts()).toEqual([true, true, true]);
    }
  });

  it('of roles that go and come', async () => {
    for (let round = 0; round < 10; round++) {
      await town.api.delete(`${inA}/roles/r`);
      expect(await verdicts()).toEqual([true, true, true]);
      await town.api.post(`${inA}/roles`, { metadata: { name: 'r' }, rules: [reading] });
      expect(await verdicts()).toEqual([false, false, false]);
    }
  });

  it('of bindings', async () => {
    await grant(reading);
    const { body: binding } = await town.api.get(`${inA}/rolebindings/r`);
    for (let round = 0; round < 10; round++) {
      const subjects = binding.subjects.slice(1);
      await town.api.patch(`${inA}/rolebindings/r`, { subjects });
      expect(await verdicts()).toEqual([true, false, false]);
      await town.api.patch(`${inA}/rolebindings/r`, { subjects: [] });
      expect(await verdicts()).toEqual([true, true, true]);
      await town.api.patch(`${inA}/rolebindings/r`, { subjects: binding.subjects });
      expect(await verdicts()).toEqual([false, false, false]);
    }
  });

  it('of namespaces, which take their roles with them', async () => {
    await town.api.post('/api/v1/namespaces', { metadata: { name: 'd' } });
    const place = `${rbac}/namespaces/d`;
    await town.api.post(`${place}/roles`, { metadata: { name: 'r' }, rules: [reading] });
    await town.api.post(`${place}/rolebindings`, {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
    });
    const inD: Asked = { method: 'GET', path: '/api/v1/namespaces/d/configmaps/x' };
    expect(await denied(alice, inD)).toBe(false);
    await town.api.delete(`${place}/rolebindings`);
    expect(await denied(alice, inD)).toBe(true);
  });
});

describe('what a write makes that was not there needs the permission to create', () => {
  const apply = 'application/apply-patch+yaml';
  const object = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }] },
  });
  const writes: [string, Omit<Asked, 'path'>, string][] = [
    ['PUT', { method: 'PUT' }, 'update'],
    ['apply', { method: 'PATCH', type: apply }, 'patch'],
  ];

  it.each(writes)('by %s', async (how, asked, verb) => {
    const name = `made-by-${how.toLowerCase()}`;
    const path = `${services}/${name}`;
    const query = how === 'apply' ? '?fieldManager=m' : '?x=y';
    const both = async (): Promise<boolean[]> => {
      const dry = await denied(alice, { ...asked, path: `${path}${query}&dryRun=All`, body: object(name) });
      return [dry, await denied(alice, { ...asked, path: path + query, body: object(name) })];
    };
    const rule = { verbs: [verb], apiGroups: [''], resources: ['services'] };
    await grant(rule);
    expect(await both()).toEqual([true, true]);
    await grant({ ...rule, verbs: ['create'] });
    expect(await both()).toEqual([true, true]);
    await grant(rule, { ...rule, verbs: ['create'], resourceNames: ['other'] });
    expect(await both()).toEqual([true, true]);
    await grant(rule, { ...rule, verbs: ['create'], resources: ['services/status'] });
    expect(await both()).toEqual([true, true]);
    expect(await exists(path)).toBe(false);
    // Here the name is known before, unlike with POST.
    await grant(rule, { ...rule, verbs: ['create'], resourceNames: [name] });
    expect(await both()).toEqual([false, false]);
    expect(await exists(path)).toBe(true);
    await grant(rule);
    expect(await both()).toEqual([false, false]);
  });

  it('and POST finds no name in any rule', async () => {
    await grant({ verbs: ['create'], apiGroups: [''], resources: ['services'], resourceNames: ['named'] });
    expect(await denied(alice, { method: 'POST', path: services, body: object('named') })).toBe(true);
    expect(await exists(`${services}/named`)).toBe(false);
  });
});

describe('what is pinned to a name shows nothing else', () => {
  const secrets = '/api/v1/namespaces/a/secrets';
  beforeAll(async () => {
    for (const name of ['mine', 'other']) {
      await town.api.post(secrets, { metadata: { name }, stringData: { marker: `marker-${name}` } });
    }
    await grant({ verbs: ['list', 'watch'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'] });
  });

  const pinned = 'fieldSelector=metadata.name%3Dmine';
  const loose = 'fieldSelector=metadata.name%3Dother';
  it.each<[string, boolean]>([
    [pinned, false],
    ['fieldSelector=metadata.name%3D%3Dmine', false],
    ['fieldSelector=metadata.name%3Dmine,metadata.namespace%3Da', false],
    // The first one counts, for the permission and for the list.
    [`${pinned}&${loose}`, false],
    [`${loose}&${pinned}`, true],
    [`fieldselector=metadata.name%3Dmine`, true],
    [`field%53elector=metadata.name%3Dmine`, false],
    [`fieldSelector=&${pinned}`, true],
    ['fieldSelector=metadata.name!%3Dmine', true],
    // No object has both names.
    ['fieldSelector=metadata.name%3Dmine,metadata.name%3Dother', false],
    ['fieldSelector=metadata.name%3Dother,metadata.name%3Dmine', false],
    ['fieldSelector=metadata.name%3Dmine%5C,', true],
    ['labelSelector=metadata.name%3Dmine', true],
    ['', true],
  ])('%s', async (query, expected) => {
    for (const path of [`${secrets}?${query}`, `/api/v1/secrets?${query}`]) {
      const asked = await town.api.get(path, {
        credentials: false,
        headers: { authorization: 'Bearer token-of-alice' },
      });
      expect(asked.status === 403).toBe(expected || path.startsWith('/api/v1/secrets'));
      expect(asked.text).not.toContain(Buffer.from('marker-other').toString('base64'));
    }
  });
});
