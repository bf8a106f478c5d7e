import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';
const hold = 'example.com/hold';
let made = 0;

/** Creates a config map and returns its path. */
async function configMap(metadata: object = {}): Promise<string> {
  const name = `made${made++}`;
  const { status } = await api.post(configMaps, { metadata: { name, ...metadata } });
  expect(status).toBe(200);
  return `${configMaps}/${name}`;
}

describe('what a delete says about dependents', () => {
  it.each([
    [[], 'propagationPolicy=Foreground', ['foregroundDeletion']],
    [[hold], 'propagationPolicy=Foreground', [hold, 'foregroundDeletion']],
    [[], 'propagationPolicy=Orphan', ['orphan']],
    [[hold], 'propagationPolicy=Orphan', [hold, 'orphan']],
    [[hold], 'orphanDependents=true', [hold, 'orphan']],
    [[hold], 'propagationPolicy=Background', [hold]],
    [['orphan', hold], 'propagationPolicy=Background', [hold]],
    [['orphan', hold], 'propagationPolicy=Foreground', [hold, 'foregroundDeletion']],
    [['orphan', hold], '', ['orphan', hold]],
  ])('becomes finalizers: %j and %s', async (finalizers, query, expected) => {
    const { status, body } = await api.delete(`${await configMap({ finalizers })}?${query}`);
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ finalizers: expected, deletionGracePeriodSeconds: 0 });
    expect(body.metadata.deletionTimestamp).toMatch(/Z$/);
  });

  it.each(['propagationPolicy=Background', 'orphanDependents=false', ''])('deletes at once: %s', async (query) => {
    const { status, body } = await api.delete(`${await configMap()}?${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(body.code).toBeUndefined();
  });

  it('may change while the object waits', async () => {
    const path = await configMap({ finalizers: [hold] });
    const versions: string[] = [];
    for (const [policy, finalizers] of [
      ['Foreground', [hold, 'foregroundDeletion']],
      ['Orphan', [hold, 'orphan']],
      ['Background', [hold]],
    ] as const) {
      const { body } = await api.delete(`${path}?propagationPolicy=${policy}`);
      expect(body.metadata.finalizers).toEqual(finalizers);
      versions.push(body.metadata.resourceVersion);
    }
    expect(new Set(versions).size).toBe(3);
    expect((await api.delete(path)).body.metadata.resourceVersion).toBe(
      (await api.get(path)).body.metadata.resourceVersion,
    );
  });

  it('responds with 202 when they are named explicitly and the object still exists', async () => {
    const held = await configMap({ finalizers: [hold] });
    expect((await api.delete(held, { body: { orphanDependents: false } })).status).toBe(202);
    expect((await api.delete(`${held}?orphanDependents=false`)).status).toBe(202);
    expect((await api.delete(`${held}?propagationPolicy=Background`)).status).toBe(200);
  });

  const template = {
    metadata: { labels: { app: 'a' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'example.com/c' }] },
  };
  it.each([
    ['/apis/batch/v1/namespaces/default/jobs', { template }, ['child pods are preserved by default']],
    [
      '/api/v1/namespaces/default/replicationcontrollers',
      { selector: { app: 'a' }, template: { ...template, spec: { ...template.spec, restartPolicy: 'Always' } } },
      [],
    ],
  ])('orphans them by default: %s', async (path, spec, warnings) => {
    await api.post(path, { metadata: { name: 'a' }, spec });
    const { status, body, headers } = await api.delete(`${path}/a?dryRun=All`);
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ name: 'a', generation: 2, finalizers: ['orphan'] });
    const sentWarnings = [headers.warning ?? []].flat();
    expect(sentWarnings).toHaveLength(warnings.length);
    for (const [index, warning] of warnings.entries()) expect(sentWarnings[index]).toContain(warning);
    const background = await api.delete(`${path}/a?propagationPolicy=Background`);
    expect(background.headers.warning).toBeUndefined();
    expect(background.body).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  it('means nothing to events', async () => {
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    await api.post(events, { metadata: { name: 'a' }, involvedObject });
    const { body } = await api.delete(`${events}/a?propagationPolicy=Foreground`);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
  });
});

describe('preconditions', () => {
  it('name the object that is meant', async () => {
    const path = await configMap();
    const { uid, resourceVersion, name } = (await api.get(path)).body.metadata;
    const other = '00000000-0000-0000-0000-000000000009';
    for (const [preconditions, text] of [
      [
        { uid: other },
        `the UID in the precondition (${other}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      ],
      [
        { resourceVersion: '1' },
        `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
      ],
      [{ uid, resourceVersion: '1' }, 'the ResourceVersion in the precondition (1)'],
    ] as const) {
      for (const body of [{ preconditions }, { preconditions, dryRun: ['All'] }]) {
        const response = await api.delete(path, { body });
        expect(response.body).toMatchObject({ code: 409, reason: 'Conflict', details: { name, kind: 'ConfigMap' } });
        expect(response.body.message).toContain(`Operation cannot be fulfilled on ConfigMap "${name}": ${text}`);
      }
    }
    expect((await api.delete(path, { body: { preconditions: { uid, resourceVersion } } })).status).toBe(200);
    expect((await api.delete(path, { body: { preconditions: { uid } } })).status).toBe(404);
  });

  it('come before the protection of a namespace', async () => {
    const path = '/api/v1/namespaces/default';
    const { uid, resourceVersion } = (await api.get(path)).body.metadata;
    const wrong = await api.delete(path, { body: { preconditions: { uid: 'x' } } });
    expect(wrong.body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on namespaces "default": Precondition failed: UID in precondition: x, UID in object meta: ${uid}`,
      details: { name: 'default', kind: 'namespaces' },
    });
    const old = await api.delete(path, { body: { preconditions: { resourceVersion: '1' } } });
    expect(old.body.message).toContain(
      `Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
    );
    const right = await api.delete(path, { body: { preconditions: { uid } } });
    expect(right.body).toMatchObject({
      code: 403,
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
  });
});

describe('the option to delete what cannot be read', () => {
  const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';

  it('is refused while its gate is off', async () => {
    const path = await configMap();
    const collection = path.slice(0, path.lastIndexOf('/'));
    for (const { body } of [
      await api.delete(path, { body: { [unsafe]: true, dryRun: ['All'] } }),
      await api.delete(`${path}?${unsafe}=true`),
      await api.delete(collection, { body: { [unsafe]: true } }),
    ]) {
      expect(body).toMatchObject({
        code: 422,
        message: `DeleteOptions.meta.k8s.io "" is invalid: ${unsafe}: Forbidden: may only be set when the feature gate AllowUnsafeMalformedObjectDeletion is on`,
      });
    }
    expect((await api.get(path)).status).toBe(200);
    expect((await api.delete(path, { body: { [unsafe]: false } })).status).toBe(200);
  });

  describe('when its gate is on', () => {
    let open: TestApi;
    beforeAll(async () => {
      open = await TestApi.start({ featureGates: 'AllowUnsafeMalformedObjectDeletion=true' });
      await open.post(configMaps, { metadata: { name: 'a' } });
    });
    afterAll(() => open.stop());

    it.each([
      ['dryRun', { dryRun: ['All'] }],
      ['propagationPolicy', { propagationPolicy: 'Orphan' }],
      ['orphanDependents', { orphanDependents: false }],
      ['gracePeriodSeconds', { gracePeriodSeconds: 0 }],
      ['preconditions', { preconditions: {} }],
    ])('cannot be combined with others: %s', async (name, others) => {
      const { body } = await open.delete(`${configMaps}/a`, { body: { [unsafe]: true, ...others } });
      expect(body).toMatchObject({
        code: 422,
        message: `DeleteOptions.meta.k8s.io "" is invalid: ${unsafe}: Invalid value: true: cannot be set together with .${name}`,
      });
    });

    it('is for unreadable objects only, and for one at a time', async () => {
      const one = await open.delete(`${configMaps}/a`, { body: { [unsafe]: true } });
      expect(one.body).toMatchObject({
        code: 422,
        message: `configmaps "a" is invalid: ${unsafe}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
      });
      const many = await open.delete(configMaps, { body: { [unsafe]: true } });
      expect(many.body.message).toContain('is not allowed with DELETECOLLECTION, try again after removing the option');
      expect((await open.delete(`${configMaps}/none`, { body: { [unsafe]: true } })).status).toBe(422);
      expect((await open.get(`${configMaps}/a`)).status).toBe(200);
    });
  });
});

describe('a dry run', () => {
  it('shows what would be, and changes nothing', async () => {
    const path = await configMap({ finalizers: [hold] });
    const before = (await api.get(path)).body;
    const { body } = await api.delete(`${path}?dryRun=All&propagationPolicy=Foreground`);
    expect(body.metadata).toMatchObject({
      resourceVersion: before.metadata.resourceVersion,
      finalizers: [hold, 'foregroundDeletion'],
      deletionGracePeriodSeconds: 0,
    });
    expect((await api.get(path)).body).toEqual(before);
  });
});
