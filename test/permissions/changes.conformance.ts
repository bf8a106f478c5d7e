import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartServer } from '../wire/api.ts';
import type { Rule } from './naive-evaluator.ts';
import { type PermissionsServer, startPermissionsServer, type TestUser } from './permissions-server.ts';
import { UserClient, type UserRequest } from './user-client.ts';

/** The tests of permissions, on a server that is started by the given function. */
export function describeChanges(start?: StartServer): void {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const inA = `${rbac}/namespaces/a`;
  const services = '/api/v1/namespaces/a/services';

  let server: PermissionsServer;
  let client: UserClient;
  let alice: TestUser;
  let dave: TestUser;
  let bot: TestUser;
  beforeAll(async () => {
    server = await startPermissionsServer({}, start);
    client = new UserClient(server.api);
    const known = (name: string): TestUser => server.users.find((user) => user.name === name)!;
    [alice, dave, bot] = [known('alice'), known('dave'), known('system:serviceaccount:a:bot')];
    await server.api.post(`${inA}/roles`, { metadata: { name: 'r' }, rules: [] });
    await server.api.post(`${inA}/rolebindings`, {
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
    await server.stop();
  });

  async function grant(...rules: Rule[]): Promise<void> {
    const { status } = await server.api.put(`${inA}/roles/r`, { metadata: { name: 'r' }, rules });
    expect(status).toBe(200);
  }

  async function denied(user: TestUser, request: UserRequest): Promise<boolean> {
    return (await client.send(user, request)).denied;
  }

  async function exists(path: string): Promise<boolean> {
    return (await server.api.get(path)).status === 200;
  }

  describe('a change takes effect for the next request', () => {
    const read: UserRequest = { method: 'GET', path: '/api/v1/namespaces/a/configmaps/x' };
    const reading: Rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
    const everybody = (): TestUser[] => [alice, dave, bot];
    const denials = () => Promise.all(everybody().map((user) => denied(user, read)));

    it('when it changes rules', async () => {
      for (let round = 0; round < 30; round++) {
        await grant(reading);
        expect(await denials()).toEqual([false, false, false]);
        await grant();
        expect(await denials()).toEqual([true, true, true]);
      }
    });

    it('when it deletes and recreates roles', async () => {
      for (let round = 0; round < 10; round++) {
        await server.api.delete(`${inA}/roles/r`);
        expect(await denials()).toEqual([true, true, true]);
        await server.api.post(`${inA}/roles`, { metadata: { name: 'r' }, rules: [reading] });
        expect(await denials()).toEqual([false, false, false]);
      }
    });

    it('when it changes bindings', async () => {
      await grant(reading);
      const { body: binding } = await server.api.get(`${inA}/rolebindings/r`);
      for (let round = 0; round < 10; round++) {
        const subjects = binding.subjects.slice(1);
        await server.api.patch(`${inA}/rolebindings/r`, { subjects });
        expect(await denials()).toEqual([true, false, false]);
        await server.api.patch(`${inA}/rolebindings/r`, { subjects: [] });
        expect(await denials()).toEqual([true, true, true]);
        await server.api.patch(`${inA}/rolebindings/r`, { subjects: binding.subjects });
        expect(await denials()).toEqual([false, false, false]);
      }
    });

    it('when it deletes a namespace, which takes its roles with it', async () => {
      await server.api.post('/api/v1/namespaces', { metadata: { name: 'd' } });
      const place = `${rbac}/namespaces/d`;
      await server.api.post(`${place}/roles`, { metadata: { name: 'r' }, rules: [reading] });
      await server.api.post(`${place}/rolebindings`, {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
      });
      const inD: UserRequest = { method: 'GET', path: '/api/v1/namespaces/d/configmaps/x' };
      expect(await denied(alice, inD)).toBe(false);
      await server.api.delete(`${place}/rolebindings`);
      expect(await denied(alice, inD)).toBe(true);
    });
  });

  describe('a write that creates an object needs the permission to create', () => {
    const apply = 'application/apply-patch+yaml';
    const object = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { ports: [{ port: 80 }] },
    });
    const writes: [string, Omit<UserRequest, 'path'>, string][] = [
      ['PUT', { method: 'PUT' }, 'update'],
      ['apply', { method: 'PATCH', type: apply }, 'patch'],
    ];

    it.each(writes)('by %s', async (how, write, verb) => {
      const name = `made-by-${how.toLowerCase()}`;
      const path = `${services}/${name}`;
      const query = how === 'apply' ? '?fieldManager=m' : '?x=y';
      const both = async (): Promise<boolean[]> => {
        const dry = await denied(alice, { ...write, path: `${path}${query}&dryRun=All`, body: object(name) });
        return [dry, await denied(alice, { ...write, path: path + query, body: object(name) })];
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
      // The name is in the path, unlike with POST.
      await grant(rule, { ...rule, verbs: ['create'], resourceNames: [name] });
      expect(await both()).toEqual([false, false]);
      expect(await exists(path)).toBe(true);
      await grant(rule);
      expect(await both()).toEqual([false, false]);
    });

    it('and resourceNames never match a POST', async () => {
      await grant({ verbs: ['create'], apiGroups: [''], resources: ['services'], resourceNames: ['named'] });
      expect(await denied(alice, { method: 'POST', path: services, body: object('named') })).toBe(true);
      expect(await exists(`${services}/named`)).toBe(false);
    });
  });

  describe('a permission for one name shows no other objects', () => {
    const secrets = '/api/v1/namespaces/a/secrets';
    beforeAll(async () => {
      for (const name of ['mine', 'other']) {
        await server.api.post(secrets, { metadata: { name }, stringData: { marker: `marker-${name}` } });
      }
      await grant({ verbs: ['list', 'watch'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'] });
    });

    const pinned = 'fieldSelector=metadata.name%3Dmine';
    const loose = 'fieldSelector=metadata.name%3Dother';
    it.each<[string, boolean]>([
      [pinned, false],
      ['fieldSelector=metadata.name%3D%3Dmine', false],
      ['fieldSelector=metadata.name%3Dmine,metadata.namespace%3Da', false],
      // The first parameter is used for both the authorization and the list.
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
        const response = await server.api.get(path, {
          credentials: false,
          headers: { authorization: 'Bearer token-of-alice' },
        });
        expect(response.status === 403).toBe(expected || path.startsWith('/api/v1/secrets'));
        expect(response.text).not.toContain(Buffer.from('marker-other').toString('base64'));
      }
    });
  });
}
