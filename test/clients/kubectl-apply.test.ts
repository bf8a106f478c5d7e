import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { KubectlApplySession } from './kubectl-apply-session.ts';

const kubectls = newestKubectls();
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const configMap = (name: string, data: Record<string, string>, labels?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
});
const deployment = (name: string, container: object = {}, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'example.com/c:1', ...container }] },
    },
    ...spec,
  },
});

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let session: KubectlApplySession;
  let isOld: boolean;
  beforeAll(async () => {
    session = await KubectlApplySession.start(kubectl);
    isOld = await session.isOld();
  });
  afterAll(() => session.stop());

  const apply = (input: object | object[], flags = '') => session.out(`apply -f -${flags}`, { input });

  it('applies on the client: creates an object, changes it, and then changes nothing', async () => {
    expect(await apply(configMap('settings', { a: '1', b: '1' }))).toBe('configmap/settings created\n');
    const made = await session.read(`${configMaps}/settings`);
    expect(JSON.parse(made.metadata.annotations[lastApplied]).data).toEqual({ a: '1', b: '1' });
    const annotation = `.metadata.annotations .metadata.annotations.${lastApplied}`;
    const owners = [`kubectl-client-side-apply*: .data .data.a .data.b ${annotation}`];
    expect(await session.owners(`${configMaps}/settings`)).toEqual(owners);
    expect(await apply(configMap('settings', { a: '1', b: '1' }))).toBe('configmap/settings unchanged\n');
    expect((await session.read(`${configMaps}/settings`)).metadata).toEqual(made.metadata);
    // Another client adds a field. Fields that were applied before and are missing now are removed.
    await session.api.patch(`${configMaps}/settings`, { data: { c: '1' } });
    expect(await apply(configMap('settings', { a: '2' }))).toBe('configmap/settings configured\n');
    const changed = await session.read(`${configMaps}/settings`);
    expect(changed.data).toEqual({ a: '2', c: '1' });
    expect(await session.out('apply view-last-applied configmap settings -o json')).toContain('"a": "2"');
  });

  it('applies a deployment on the client, with a strategic merge patch', async () => {
    const ports = [{ containerPort: 80 }];
    expect(await apply(deployment('web', { ports }))).toContain('created');
    expect(await apply(deployment('web', { ports }))).toContain('unchanged');
    expect(await apply(deployment('web', { image: 'example.com/c:2', env: [{ name: 'A', value: '1' }] }))).toContain(
      'configured',
    );
    const [container] = (await session.read(`${deployments}/web`)).spec.template.spec.containers;
    expect(container).toMatchObject({ image: 'example.com/c:2', env: [{ name: 'A', value: '1' }] });
    expect(container).not.toHaveProperty('ports');
    expect(await apply(deployment('web', {}, { strategy: { type: 'Recreate' } }))).toContain('configured');
    expect((await session.read(`${deployments}/web`)).spec.strategy).toEqual({ type: 'Recreate' });
  });

  it('prunes what is not in the manifests any more', async () => {
    const labels = { app: 'pruned' };
    const [a, b] = ['a', 'b'].map((name) => configMap(`pruned-${name}`, { a: '1' }, labels));
    const list = isOld ? '--prune-whitelist' : '--prune-allowlist';
    const flags = ` --prune -l app=pruned ${list}=core/v1/ConfigMap`;
    await session.api.post(configMaps, configMap('pruned-by-nobody', {}, labels));
    await apply([a!, b!], flags);
    expect(await apply([a!], flags)).toBe('configmap/pruned-a unchanged\nconfigmap/pruned-b pruned\n');
    const { items } = await session.read(`${configMaps}?labelSelector=app=pruned`);
    const left = items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(left).toEqual(['pruned-a', 'pruned-by-nobody']);
  });

  it('makes dry runs', async () => {
    expect(await apply(configMap('tried', { a: '1' }), ' --dry-run=server')).toBe(
      'configmap/tried created (server dry run)\n',
    );
    await apply(configMap('tried', { a: '1' }));
    const before = await session.read(`${configMaps}/tried`);
    expect(await apply(configMap('tried', { a: '2' }), ' --dry-run=server')).toBe(
      'configmap/tried configured (server dry run)\n',
    );
    expect(await session.out('delete configmap tried --dry-run=server')).toContain('deleted');
    expect(await session.out('label configmap tried x=y --dry-run=server')).toContain('tried');
    expect(await session.out('create configmap other --dry-run=server')).toContain('created (server dry run)');
    expect(await session.read(`${configMaps}/tried`)).toEqual(before);
    const bad = await session.use('apply -f - --dry-run=server', { input: deployment('tried', { image: '' }) });
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('image: Required value')]);
  });

  it('shows differences', async () => {
    await apply(configMap('differing', { a: '1' }));
    const before = await session.read(`${configMaps}/differing`);
    const same = await session.use('diff -f -', { input: configMap('differing', { a: '1' }) });
    expect([same.code, same.stdout]).toEqual([0, '']);
    const changed = await session.use('diff -f -', { input: configMap('differing', { a: '2' }) });
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^- {2}a: "1"\n\+ {2}a: "2"$/m);
    const absent = await session.use('diff -f -', { input: configMap('absent', { a: '2' }) });
    expect([absent.code, absent.stdout]).toEqual([1, expect.stringMatching(/^\+ {2}a: "2"$/m)]);
    const bad = await session.use('diff -f -', { input: configMap('differing', { 'a b': '2' }) });
    expect(bad.code).toBeGreaterThan(isOld ? 0 : 1);
    expect(await session.read(`${configMaps}/differing`)).toEqual(before);
  });

  it('patches in three ways', async () => {
    await session.api.post(deployments, deployment('patched', { env: [{ name: 'A', value: '1' }] }));
    const patch = (type: string, body: unknown) =>
      session.out(['patch', 'deployment', 'patched', `--type=${type}`, '-p', JSON.stringify(body)]);
    const template = (container: object) => ({
      spec: { template: { spec: { containers: [{ name: 'c', ...container }] } } },
    });
    expect(await patch('strategic', template({ env: [{ name: 'B', value: '2' }] }))).toBe(
      'deployment.apps/patched patched\n',
    );
    expect(await patch('json', [{ op: 'replace', path: '/spec/replicas', value: 2 }])).toContain('patched');
    expect(await patch('merge', { metadata: { labels: { x: 'y' } } })).toContain('patched');
    expect(await patch('merge', { metadata: { labels: { x: 'y' } } })).toContain('(no change)');
    const { metadata, spec } = await session.read(`${deployments}/patched`);
    expect(spec.replicas).toBe(2);
    expect(spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'A',
      'B',
    ]);
    expect(metadata.labels).toEqual({ x: 'y' });
    const owners = await session.owners(`${deployments}/patched`);
    const mine = owners.find((owner) => owner.startsWith('kubectl-patch*: '))!;
    expect(mine).toContain('.metadata.labels .metadata.labels.x .spec.replicas');
    expect(mine).toContain('.env[{"name":"B"}].value');
    const refused = await session.use([
      'patch',
      'deployment',
      'patched',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/none"}]',
    ]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/the server rejected our request|request is invalid/),
    ]);
  });

  it('labels, annotates, sets images, edits and replaces, and owns what it changed', async () => {
    await session.api.post(deployments, deployment('owned'));
    const path = `${deployments}/owned`;
    expect(await session.out('label deployment owned tier=web')).toContain('labeled');
    expect(await session.out('annotate deployment owned note=before')).toContain('annotate');
    expect(await session.out('set image deployment/owned c=example.com/c:2')).toContain('image updated');
    const edited = await session.out('edit deployment owned', { env: { EDITOR: 'sed -i s/before/after/' } });
    expect(edited).toContain('edited');
    const { metadata, spec } = await session.read(path);
    expect([metadata.labels, metadata.annotations]).toEqual([
      { tier: 'web' },
      expect.objectContaining({ note: 'after' }),
    ]);
    expect(spec.template.spec.containers[0].image).toBe('example.com/c:2');
    const owners = (await session.owners(path)).join('\n');
    expect(owners).toMatch(/^kubectl-label\*: .*\.metadata\.labels\.tier/m);
    expect(owners).toMatch(/^kubectl-edit\*: .*\.metadata\.annotations\.note/m);
    expect(owners).toMatch(/^kubectl-set\*: .*\.image/m);
    expect(await session.out('replace -f -', { input: deployment('owned', { image: 'example.com/c:3' }) })).toContain(
      'replaced',
    );
    expect((await session.owners(path)).join('\n')).toMatch(/^kubectl-replace\*: .*\.image/m);
    expect((await session.read(path)).metadata).not.toHaveProperty('labels');
  });
});
