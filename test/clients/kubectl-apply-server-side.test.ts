import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { KubectlApplySession } from './kubectl-apply-session.ts';

const kubectls = newestKubectls();
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const lastApplied = '.metadata.annotations.kubectl.kubernetes.io/last-applied-configuration';

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let session: KubectlApplySession;
  let isOld: boolean;
  beforeAll(async () => {
    session = await KubectlApplySession.start(kubectl);
    isOld = await session.isOld();
  });
  afterAll(() => session.stop());

  // Most commands do not use OpenAPI: reading it takes kubectl as long as everything else.
  const command = (flags: string): string => `apply --server-side -f - --validate=false${flags}`;
  const use = (input: object, flags = '') => session.use(command(flags), { input });
  const apply = (input: object, flags = '') => session.out(command(flags), { input });
  const owners = (name: string) => session.owners(`${configMaps}/${name}`);

  it('creates an object, changes it, and then changes nothing', async () => {
    for (const data of [{ a: '1', b: '1' }, { a: '2' }, { a: '2' }] as Record<string, string>[]) {
      expect(await apply(configMap('settings', data))).toBe('configmap/settings serverside-applied\n');
    }
    const before = await session.read(`${configMaps}/settings`);
    expect(before.data).toEqual({ a: '2' });
    expect(await owners('settings')).toEqual(['kubectl: .data.a']);
    expect(before.metadata).not.toHaveProperty('annotations');
    await apply(configMap('settings', { a: '2' }), ' --validate=true');
    expect(await session.read(`${configMaps}/settings`)).toEqual(before);
  });

  it('reports conflicts, and takes over fields by force', async () => {
    await apply(configMap('fought', { a: '1', b: '1' }));
    const other = ' --field-manager=other';
    const refused = await use(configMap('fought', { a: '2' }), other);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl": .data.a\n');
    expect(refused.stderr).toContain('--force-conflicts');
    const several = await use(configMap('fought', { a: '2', b: '2' }), other);
    expect(several.stderr).toContain(
      'Apply failed with 2 conflicts: conflicts with "kubectl":\n- .data.a\n- .data.b\n',
    );
    expect(await owners('fought')).toEqual(['kubectl: .data.a .data.b']);
    expect(await apply(configMap('fought', { a: '2' }), `${other} --force-conflicts`)).toContain('serverside-applied');
    expect(await owners('fought')).toEqual(['kubectl: .data.b', 'other: .data.a']);
    expect((await use(configMap('fought', { a: '3', b: '1' }))).stderr).toContain('conflict with "other": .data.a');
  });

  it('makes dry runs', async () => {
    const flags = ' --dry-run=server';
    expect(await apply(configMap('tried', { a: '1' }), flags)).toBe(
      'configmap/tried serverside-applied (server dry run)\n',
    );
    expect(await session.read(`${configMaps}/tried`)).toMatchObject({ code: 404 });
    await apply(configMap('tried', { a: '1' }));
    const refused = await use(configMap('tried', { a: '2' }), `${flags} --field-manager=other`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('conflict with "kubectl": .data.a')]);
    const diff = await session.use('diff --server-side -f -', { input: configMap('tried', { a: '2' }) });
    expect([diff.code, diff.stdout]).toEqual([1, expect.stringMatching(/^\+ {2}a: "2"$/m)]);
    const none = await session.use('diff --server-side -f -', { input: configMap('tried', { a: '1' }) });
    expect([none.code, none.stdout]).toEqual([0, '']);
    expect((await session.read(`${configMaps}/tried`)).data).toEqual({ a: '1' });
  });

  it('takes over fields from client-side apply', async () => {
    await session.out('apply -f -', { input: configMap('moved', { a: '1', b: '1' }) });
    expect(await apply(configMap('moved', { a: '1', b: '1' }))).toContain('serverside-applied');
    const before = `kubectl-client-side-apply*: .data .data.a .data.b .metadata.annotations ${lastApplied}`;
    const moved = isOld
      ? [before, 'kubectl: .data.a .data.b']
      : [`kubectl-last-applied: ${lastApplied}`, 'kubectl: .data.a .data.b'];
    expect(await owners('moved')).toEqual(moved);
    // A manager has no conflict with itself.
    expect(await apply(configMap('moved', { a: '2', b: '1' }))).toContain('serverside-applied');
    const { data, metadata } = await session.read(`${configMaps}/moved`);
    expect(data).toEqual({ a: '2', b: '1' });
    expect(Object.values(metadata.annotations).join()).toContain('"a":"2"');
    expect(await apply(configMap('moved', { a: '3' }))).toContain('serverside-applied');
    // Older versions of kubectl do not remove the entry of the former manager, which still owns the field.
    expect((await session.read(`${configMaps}/moved`)).data).toEqual(isOld ? { a: '3', b: '1' } : { a: '3' });
    expect(await session.out('apply -f -', { input: configMap('moved', { a: '4' }) })).toContain('configured');
    expect((await session.read(`${configMaps}/moved`)).data.a).toBe('4');
  });

  it('leaves replicas to the client that scales', async () => {
    const deployment = (spec: object) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'c', image: 'example.com/c:1', ports: [{ containerPort: 80 }] }] },
        },
        ...spec,
      },
    });
    await apply(deployment({ replicas: 2 }));
    expect(await session.out('scale deployment web --replicas=5')).toContain('scaled');
    const refused = await use(deployment({ replicas: 2 }));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /conflict with "kubectl(-scale)?" with subresource "scale" using apps\/v1: \.spec\.replicas/,
    );
    expect(await apply(deployment({}))).toContain('serverside-applied');
    expect((await session.read(`${deployments}/web`)).spec.replicas).toBe(5);
    await apply(deployment({ replicas: 2 }), ' --force-conflicts');
    expect((await session.read(`${deployments}/web`)).spec.replicas).toBe(2);
  });

  it('shows managed fields when it is asked to', async () => {
    await apply(configMap('shown', { a: '1' }));
    if (isOld) {
      expect(await session.out('get configmap shown -o yaml')).toContain('manager: kubectl\n');
      return;
    }
    expect(await session.out('get configmap shown -o yaml')).not.toContain('managedFields');
    const text = await session.out('get configmap shown -o yaml --show-managed-fields');
    expect(text).toContain('manager: kubectl\n');
    expect(text).toMatch(/fieldsV1:\n +f:data:\n +f:a: \{\}/);
    expect(await session.out('get configmaps --show-managed-fields -o json')).toContain('"f:data"');
  });

  it('prints the errors of a manifest', async () => {
    const bad = await use({ ...configMap('bad', { a: '1' }), bogus: 1 }, isOld ? '' : ' --validate=ignore');
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('.bogus: field not declared in schema')]);
    const invalid = await use(configMap('bad', { 'a b': '1' }), ' --validate=true');
    expect([invalid.code, invalid.stderr]).toEqual([1, expect.stringContaining('a valid config key must consist of')]);
  });
});
