import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { admin, KubectlUsers, tableRows } from './kubectl-users.ts';

const kubectls = newestKubectls();

/** Questions for `auth can-i`, by user. In the namespace `team`, jane may read pods and their logs. */
const questions: readonly [user: string, question: string, response: 'yes' | 'no'][] = [
  [admin, '* *', 'yes'],
  [admin, 'get /metrics', 'yes'],
  ['jane', 'list pods -n team', 'yes'],
  ['jane', 'get pods/web -n team', 'yes'],
  ['jane', 'get pods --subresource=log -n team', 'yes'],
  ['jane', 'get pods --subresource=exec -n team', 'no'],
  ['jane', 'delete pods -n team', 'no'],
  ['jane', 'list deployments.apps -n team', 'no'],
  ['jane', 'list pods', 'no'],
  ['jane', 'list pods --all-namespaces', 'no'],
  ['jane', 'get /version', 'yes'],
  ['jane', 'get /metrics', 'no'],
];

/** The messages for users who lack a permission. All versions of kubectl print the same text. */
const refusals: readonly [user: string, command: string, text: string][] = [
  [
    'jane',
    'get pods',
    'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
  ],
  [
    'jane',
    'get pods -A',
    'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
  ],
  [
    'bob',
    'get pod web -n team',
    'pods "web" is forbidden: User "bob" cannot get resource "pods" in API group "" in the namespace "team"',
  ],
  [
    'bob',
    'logs web -n team',
    'pods "web" is forbidden: User "bob" cannot get resource "pods" in API group "" in the namespace "team"',
  ],
  [
    'jane',
    'delete pod web -n team',
    'pods "web" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "team"',
  ],
  [
    'jane',
    'scale deployment web --replicas=1 -n team',
    'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments" in API group "apps" in the namespace "team"',
  ],
  [
    'jane',
    'get nodes',
    'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
  ],
  ['jane', 'get --raw /metrics', 'forbidden: User "jane" cannot get path "/metrics"'],
  [
    'jane',
    'create role free --verb=get --resource=secrets -n team',
    'roles.rbac.authorization.k8s.io is forbidden: User "jane" cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "team"',
  ],
];

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let users: KubectlUsers;
  beforeAll(async () => {
    users = await KubectlUsers.start(kubectl, { controllers: [], disableAdmissionPlugins: ['ServiceAccount'] });
    const { api } = users;
    await api.configMaps('team');
    await users.grant('jane', 'team/reader', { resources: ['pods', 'pods/log'], verbs: ['get', 'list'] });
    const spec = { containers: [{ name: 'web', image: 'example.com/web:1' }] };
    expect((await api.post('/api/v1/namespaces/team/pods', { metadata: { name: 'web' }, spec })).status).toBe(200);
  });
  afterAll(() => users.stop());

  it('knows what is allowed', async () => {
    const checkAnswer = async ([user, question, response]: (typeof questions)[number]): Promise<void> => {
      const { stdout, code } = await users.use(user, `auth can-i ${question}`);
      expect({ stdout: stdout.trim(), code }, `${user}: ${question}`).toEqual({
        stdout: response,
        code: response === 'yes' ? 0 : 1,
      });
    };
    await Promise.all(questions.map(checkAnswer));
    expect(await users.use('jane', 'auth can-i list pods -q')).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  it('lists what is allowed', async () => {
    const [team, elsewhere, everything] = await Promise.all([
      users.out('jane', 'auth can-i --list -n team'),
      users.out('jane', 'auth can-i --list'),
      users.out(admin, 'auth can-i --list'),
    ]);
    expect(tableRows(team)).toContain('pods/log [] [] [get list]');
    expect(tableRows(team)).toContain('selfsubjectaccessreviews.authorization.k8s.io [] [] [create]');
    expect(tableRows(team)).toContain('[/version] [] [get]');
    expect(elsewhere).not.toContain('pods');
    expect(tableRows(everything)).toEqual(expect.arrayContaining(['*.* [] [] [*]', '[*] [] [*]']));
  });

  it('says in the usual words what is forbidden', async () => {
    const check = async ([user, command, text]: (typeof refusals)[number]): Promise<void> =>
      expect(await users.refusal(user, command), command).toBe(`Error from server (Forbidden): ${text}`);
    await Promise.all(refusals.map(check));
  });

  it('gets no logs of pods without the permission for logs', async () => {
    await users.grant('carol', 'team/looker', { resources: ['pods'], verbs: ['get'] });
    expect(await users.refusal(admin, 'logs web -n team --as=carol')).toBe(
      'Error from server (Forbidden): pods "web" is forbidden: ' +
        'User "carol" cannot get resource "pods/log" in API group "" in the namespace "team"',
    );
  });

  it('runs nothing in pods that may only be read', async () => {
    const message = await users.refusal('jane', 'exec web -n team -- ls');
    const reason =
      'pods "web" is forbidden: User "jane" cannot create resource "pods/exec" in API group "" in the namespace "team"';
    expect(message).toMatch(/^(Error from server \(Forbidden\)|error: unable to upgrade connection): pods/);
    expect(message).toContain(reason);
    expect(await users.refusal('jane', 'cp web:/file ./file -n team')).toContain(reason);
    expect(await users.refusal('jane', 'attach web -n team')).toContain('cannot create resource "pods/attach"');
  });

  it('asks an unknown user to log in', async () => {
    users.addUser('nobody', { token: 'no-such-token' });
    expect(await users.refusal('nobody', 'get --raw /version')).toBe(
      'error: You must be logged in to the server (Unauthorized)',
    );
    expect(await users.refusal('nobody', 'get pods')).toBe('error: You must be logged in to the server (Unauthorized)');
    expect(await users.refusal('nobody', 'api-versions')).toContain("couldn't get available api versions from server");
  });

  it('discovers all resources for every user', async () => {
    const [all, versions] = await Promise.all([users.out('bob', 'api-resources'), users.out('bob', 'api-versions')]);
    expect(tableRows(all)).toContain('roles rbac.authorization.k8s.io/v1 true Role');
    expect(tableRows(all)).toContain('deployments deploy apps/v1 true Deployment');
    expect(versions.split('\n')).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'rbac.authorization.k8s.io/v1']));
    expect(await users.out('bob', 'explain pods.spec.nodeName')).toContain('nodeName');
  });
});
