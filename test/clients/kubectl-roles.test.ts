import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { admin, KubectlUsers, tableRows } from './kubectl-users.ts';

const kubectls = newestKubectls();
const forbidden = /^Error from server \(Forbidden\)/;

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let users: KubectlUsers;
  beforeAll(async () => {
    users = await KubectlUsers.start(kubectl, { controllers: ['clusterrole-aggregation'] });
    await users.api.configMaps('team');
    await users.grant('jane', 'team/reader', { resources: ['pods'], verbs: ['get', 'list'] });
  });
  afterAll(() => users.stop());

  it('grants and takes away at once', async () => {
    await users.outAll(
      admin,
      'create role writer --verb=create,delete --resource=configmaps -n team',
      'create rolebinding writers --role=writer --group=ops -n team',
    );
    expect(await users.out('jane', 'create configmap mine -n team')).toBe('configmap/mine created\n');
    expect(await users.refusal('bob', 'delete configmap mine -n team')).toMatch(forbidden);
    await users.out(
      admin,
      'patch role writer -n team --type=json -p [{"op":"replace","path":"/rules/0/verbs","value":["get"]}]',
    );
    expect(await users.refusal('jane', 'delete configmap mine -n team')).toMatch(forbidden);
    expect(await users.out('jane', 'get configmap mine -n team -o name')).toBe('configmap/mine\n');

    await users.outAll(
      admin,
      'create clusterrole node-reader --verb=list --resource=nodes',
      'create clusterrolebinding node-readers --clusterrole=node-reader --user=bob',
    );
    expect(await users.out('bob', 'get nodes')).toBe('');
    await users.out(admin, 'delete clusterrolebinding node-readers');
    expect(await users.refusal('bob', 'get nodes')).toMatch(forbidden);

    await users.outAll(
      admin,
      'create clusterrole metrics --verb=get --non-resource-url=/metrics',
      'create clusterrolebinding metrics --clusterrole=metrics --user=bob',
    );
    expect(await users.out('bob', 'auth can-i get /metrics')).toBe('yes\n');
  });

  it('grants single objects and single verbs', async () => {
    const configMaps = await users.api.configMaps('vault');
    for (const name of ['open', 'closed']) {
      await users.api.post('/api/v1/namespaces/vault/secrets', { metadata: { name } });
    }
    const verbs = ['get', 'list', 'create'];
    await users.grant('bob', 'vault/opener', { resources: ['secrets'], resourceNames: ['open'], verbs });
    expect(await users.out('bob', 'get secret open -o name -n vault')).toBe('secret/open\n');
    expect(await users.out('bob', 'get secrets --field-selector=metadata.name=open -o name -n vault')).toBe(
      'secret/open\n',
    );
    for (const which of ['secrets', 'secret closed', 'secrets --field-selector=metadata.name=closed']) {
      expect(await users.refusal('bob', `get ${which} -n vault`), which).toMatch(forbidden);
    }
    expect(await users.refusal('bob', 'create secret generic open -n vault')).toContain('cannot create resource');

    await users.grant('bob', 'vault/patcher', { resources: ['configmaps'], verbs: ['get', 'list', 'patch'] });
    await users.out('bob', 'get configmaps -n vault');
    expect(await users.refusal('bob', 'get configmaps -w -n vault')).toMatch(forbidden);
    const metadata = { name: 'new', namespace: 'vault' };
    // Without validation: kubectl waits only a short time for OpenAPI, which takes long on a busy machine.
    const file = users.file('new', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const apply = `apply --server-side --validate=false -f ${file}`;
    for (const how of ['', ' --dry-run=server']) {
      expect(await users.refusal('bob', apply + how)).toContain('cannot create resource "configmaps"');
    }
    await users.api.post(configMaps, { metadata: { name: 'new' } });
    expect(await users.out('bob', apply)).toBe('configmap/new serverside-applied\n');
  });

  it('lets the administrator of a namespace grant access to it', async () => {
    await users.api.configMaps('shop');
    await users.bind('jane', { kind: 'ClusterRole', name: 'admin' }, 'shop');
    await vi.waitFor(() => users.out('jane', 'auth can-i create rolebindings -n shop'));
    expect(await users.out('jane', 'create rolebinding clerks --clusterrole=edit --user=bob -n shop')).toContain(
      'created',
    );
    expect(await users.out('bob', 'create deployment web --image=example.com/web:1 -n shop')).toContain('created');
    expect(await users.out('bob', 'get deployments,secrets -o name -n shop')).toBe('deployment.apps/web\n');
    expect(await users.refusal('bob', 'get rolebindings -n shop')).toMatch(forbidden);
    expect(await users.refusal('jane', 'create quota few --hard=pods=1 -n shop')).toContain('cannot create resource');
    expect(await users.refusal('jane', 'get namespaces')).toMatch(forbidden);
    expect(await users.refusal('jane', 'delete namespace shop')).toMatch(forbidden);
    await users.out('jane', 'delete rolebinding clerks -n shop');
    expect(await users.refusal('bob', 'get deployments -n shop')).toMatch(forbidden);
  });

  it('lets users grant only permissions that they have', async () => {
    await users.grant('jane', 'team/granter', {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles', 'rolebindings'],
      verbs: ['create'],
    });
    const who =
      'user "jane" (groups=["dev" "ops" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';
    expect(await users.refusal('jane', 'create role more --verb=get --resource=secrets -n team')).toBe(
      `Error from server (Forbidden): roles.rbac.authorization.k8s.io "more" is forbidden: ${who}\n` +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    );
    expect(await users.refusal('jane', 'create rolebinding all --clusterrole=cluster-admin --user=jane -n team')).toBe(
      `error: failed to create rolebinding: rolebindings.rbac.authorization.k8s.io "all" is forbidden: ${who}\n` +
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    expect(await users.out('jane', 'create role same --verb=get --resource=pods -n team')).toContain('created');
  });

  it('shows roles and bindings', async () => {
    const names = await users.out(admin, 'get clusterroles -o name');
    for (const name of ['cluster-admin', 'admin', 'edit', 'view', 'system:discovery', 'system:basic-user']) {
      expect(names.split('\n')).toContain(`clusterrole.rbac.authorization.k8s.io/${name}`);
    }
    // The rules of this role are aggregated from other roles, a moment after the start.
    await vi.waitFor(async () => {
      const shown = tableRows(await users.out(admin, 'describe clusterrole admin'));
      expect(shown.find((row) => row.startsWith('roles.rbac.authorization.k8s.io '))).toBe(
        'roles.rbac.authorization.k8s.io [] [] [create delete deletecollection get list patch update watch]',
      );
      expect(shown.find((row) => row.startsWith('pods/log '))).toBe('pods/log [] [] [get list watch]');
    });
    expect(tableRows(await users.out(admin, 'describe rolebinding readers -n team'))).toEqual(
      expect.arrayContaining(['Kind: Role', 'Name: reader', 'User jane']),
    );
    expect(tableRows(await users.out(admin, 'get clusterrolebinding system:discovery -o wide --no-headers'))).toEqual([
      expect.stringMatching(/^system:discovery ClusterRole\/system:discovery \S+ system:authenticated$/),
    ]);
  });

  it('reconciles roles and bindings', async () => {
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const metadata = { name: 'reconciled', namespace: 'team' };
    const role = (resource: string): object => {
      const rules = [{ apiGroups: [''], resources: [resource], verbs: ['list'] }];
      return { apiVersion, kind: 'Role', metadata, rules };
    };
    const binding = (name: string): object => {
      const apiGroup = 'rbac.authorization.k8s.io';
      const roleRef = { apiGroup, kind: 'Role', name: 'reconciled' };
      return { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects: [{ apiGroup, kind: 'User', name }] };
    };
    /** Runs `auth reconcile` and returns its report of the changes. */
    const reconcile = async (user: string, resource: string, flags = ''): Promise<string> => {
      const path = users.file('reconciled', role(resource), binding(user));
      const { code, stdout, stderr } = await users.use(admin, `auth reconcile -f ${path}${flags}`);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('rolebinding') });
      return stderr;
    };
    expect(await reconcile('bob', 'secrets')).toContain('reconciliation required create');
    expect(await users.out('bob', 'get secrets -n team')).toBe('');
    const more = await reconcile('carol', 'services');
    expect(more).toContain('{Verbs:[list] APIGroups:[] Resources:[services] ResourceNames:[] NonResourceURLs:[]}');
    expect(more).toContain('{Kind:User APIGroup:rbac.authorization.k8s.io Name:carol Namespace:}');
    // Existing rules and subjects are kept, unless a flag requests their removal.
    expect(await users.out('bob', 'get secrets,services -n team')).toBe('');
    expect(await reconcile('carol', 'services')).toBe('');
    await reconcile('carol', 'services', ' --remove-extra-subjects --remove-extra-permissions');
    expect(await users.refusal('bob', 'get services -n team')).toContain('User "bob" cannot list resource "services"');
    expect(await users.refusal(admin, 'auth can-i list secrets -n team --as=carol')).toBe('');
    expect(await users.out(admin, 'auth can-i list services -n team --as=carol')).toBe('yes\n');
    expect(await users.refusal('jane', `auth reconcile -f ${users.file('refused', role('secrets'))}`)).toBe(
      'Error from server (Forbidden): roles.rbac.authorization.k8s.io "reconciled" is forbidden: ' +
        'User "jane" cannot get resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "team"',
    );
  });
});
