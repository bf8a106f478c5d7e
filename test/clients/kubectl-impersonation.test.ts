import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { admin, KubectlUsers } from './kubectl-users.ts';

const kubectls = newestKubectls();

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let users: KubectlUsers;
  let isOld: boolean;
  beforeAll(async () => {
    users = await KubectlUsers.start(kubectl, { controllers: [] });
    isOld = await users.isOld();
  });
  afterAll(() => users.stop());

  it('acts as the user that the administrator names', async () => {
    expect(await users.identity(admin)).toMatchObject({ groups: ['system:masters', 'system:authenticated'] });
    expect(await users.identity(admin, ' --as=alice')).toEqual({ username: 'alice', groups: ['system:authenticated'] });
    expect(await users.identity(admin, ' --as=alice --as-group=crew --as-group=cooks')).toEqual({
      username: 'alice',
      groups: ['crew', 'cooks', 'system:authenticated'],
    });
    expect(await users.identity(admin, ' --as=system:serviceaccount:default:robot')).toEqual({
      username: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
    expect(await users.refusal(admin, 'get pods --as=alice')).toBe(
      'Error from server (Forbidden): pods is forbidden: ' +
        'User "alice" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    expect(await users.out(admin, 'get namespace default -o name --as=alice --as-group=system:masters')).toBe(
      'namespace/default\n',
    );
  });

  it('says who its user is', async ({ skip }) => {
    if (isOld) skip('kubectl 1.20 has no command for it');
    const rows = async (user: string, args = ''): Promise<string[][]> =>
      (await users.out(user, `auth whoami${args}`))
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/\s{2,}/));
    expect(await rows('jane')).toEqual([
      ['Username', 'jane'],
      ['UID', '7'],
      ['Groups', '[dev ops system:authenticated]'],
    ]);
    expect(
      await rows(admin, ' --as=alice --as-group=crew --as-uid=9 --as-user-extra=scopes=a --as-user-extra=scopes=b'),
    ).toEqual([
      ['Username', 'alice'],
      ['UID', '9'],
      ['Groups', '[crew system:authenticated]'],
      ['Extra: scopes', '[a b]'],
    ]);
    expect(await rows(admin)).toContainEqual([
      'Extra: authentication.kubernetes.io/credential-id',
      expect.stringMatching(/^\[X509SHA256=[0-9a-f]{64}\]$/),
    ]);
  });

  // Each thread has its own cache of the permission that is named in rejections.
  it.skipIf(testedThreads > 1)('lets users impersonate only those whom they may impersonate', async () => {
    const forbidden = 'Error from server (Forbidden):';
    expect(await users.refusal('bob', 'get pods --as=alice')).toBe(
      `${forbidden} pods is forbidden: User "bob" cannot impersonate-on:user-info:list resource "pods" ` +
        'in API group "" in the namespace "default"',
    );
    const resourceNames = ['alice', 'crew'];
    await users.grant('bob', 'actor', { resources: ['users', 'groups'], resourceNames, verbs: ['impersonate'] });
    expect(await users.identity('bob', ' --as=alice --as-group=crew')).toMatchObject({
      username: 'alice',
      groups: ['crew', 'system:authenticated'],
    });
    const refused = async (flags: string, text: string): Promise<void> =>
      expect(await users.refusal('bob', `get pods ${flags}`)).toBe(`${forbidden} ${text}`);
    await refused(
      '--as=alice',
      'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    await refused(
      '--as=carol',
      'users "carol" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    await refused(
      '--as=alice --as-group=system:masters',
      'groups "system:masters" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
    await refused(
      '--as=system:serviceaccount:default:robot',
      'serviceaccounts "robot" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
    );
    if (isOld) return;
    await refused(
      '--as=alice --as-uid=9',
      'uids.authentication.k8s.io "9" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    );
  });
});
