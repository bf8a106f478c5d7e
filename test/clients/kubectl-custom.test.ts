import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { KubectlApplySession } from './kubectl-apply-session.ts';

const kubectls = newestKubectls();
const crontabs = '/apis/stable.example.com/v1/namespaces/default/crontabs';

const schema = {
  type: 'object',
  description: 'CronTab runs an image again and again.',
  properties: {
    spec: {
      type: 'object',
      description: 'What to run, and when.',
      required: ['cronSpec'],
      properties: {
        cronSpec: { type: 'string', description: 'The schedule, in the words of cron.', pattern: '^\\S+( \\S+){4}$' },
        image: { type: 'string', default: 'example.com/none' },
        replicas: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
        env: {
          type: 'array',
          description: 'Variables of the container.',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: { type: 'string' },
        replicas: { type: 'integer' },
        selector: { type: 'string' },
        conditions: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'], categories: ['schedules'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Schedule', type: 'string', jsonPath: '.spec.cronSpec' },
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
          { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};
const crontab = (name: string, spec: object = {}) => ({
  apiVersion: 'stable.example.com/v1',
  kind: 'CronTab',
  metadata: { name },
  spec: { cronSpec: '* * * * */5', ...spec },
});

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let session: KubectlApplySession;
  let isOld: boolean;
  let folder: string;

  beforeAll(async () => {
    session = await KubectlApplySession.start(kubectl);
    isOld = await session.isOld();
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
  });
  afterAll(async () => {
    await session.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = () => session.read(`${crontabs}/tab`);

  it('applies a definition and an object of it from one file, again until it is accepted', async () => {
    const input = [definition, crontab('tab')];
    await expect.poll(async () => (await session.use('apply -f -', { input })).code).toBe(0);
    expect((await read()).spec).toEqual({ cronSpec: '* * * * */5', image: 'example.com/none', replicas: 1 });
    const unchanged = await session.out('apply -f -', { input });
    expect(unchanged).toMatch(/crontabs.stable.example.com unchanged\ncrontab.stable.example.com\/tab unchanged/);
  });

  it('waits for the definition', async () => {
    const out = await session.out('wait --for=condition=Established crd/crontabs.stable.example.com --timeout=120s');
    expect(out).toContain('condition met');
  });

  it.each([
    ['get crontabs', /^NAME +SCHEDULE +REPLICAS +AGE\ntab +\* \* \* \* \*\/5 +1 +\S+\n$/],
    ['get ct -o wide', /^NAME +SCHEDULE +REPLICAS +IMAGE +AGE\ntab +\* \* \* \* \*\/5 +1 +example.com\/none +\S+\n$/],
    ['get crontab tab -o jsonpath={.spec.cronSpec}', /^\* \* \* \* \*\/5$/],
    ['get schedules', /^NAME +SCHEDULE +REPLICAS +AGE\ntab /],
    ['get crontabs.v1.stable.example.com -o name', /^crontab.stable.example.com\/tab\n$/],
    ['get CronTab -A', /^NAMESPACE +NAME +SCHEDULE +REPLICAS +AGE\ndefault +tab /],
    ['describe ct tab', /^Name: +tab\n(.*\n)*Kind: +CronTab\n(.*\n)* +Cron Spec: +\* \* \* \* \*\/5\n/],
    ['get crd', /^NAME +CREATED AT\ncrontabs.stable.example.com +\S+Z\n/],
    ['api-resources --api-group=stable.example.com', /\ncrontabs +ct +.*true +CronTab/],
  ])('%s', async (args, expected) => {
    expect(await session.out(args)).toMatch(expected);
  });

  it('explains the schema with its descriptions', async () => {
    const whole = await session.out('explain crontab');
    expect(whole).toMatch(/KIND: +CronTab/);
    expect(whole).toContain('CronTab runs an image again and again.');
    const spec = await session.out('explain ct.spec.cronSpec');
    expect(spec).toContain('The schedule, in the words of cron.');
    const recursive = await session.out('explain crontab --recursive');
    for (const field of ['cronSpec', 'env', 'value', 'conditions', 'managedFields', 'fieldsV1']) {
      expect(recursive).toMatch(new RegExp(`\\s${field}\\s`));
    }
    expect(recursive).toMatch(/cronSpec\s+<string>/);
  });

  it('refuses what the schema does not allow', async () => {
    const wrong = await session.use('apply -f - --validate=false', { input: crontab('wrong', { cronSpec: 'daily' }) });
    expect(wrong.stderr).toMatch(
      /The CronTab "wrong" is invalid: spec.cronSpec: Invalid value: "daily": spec.cronSpec in body should match/,
    );
    const unknown = await session.use('apply -f -', { input: crontab('wrong', { color: 'red' }) });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(
      isOld ? /unknown field "color" in com.example.stable.v1.CronTab.spec/ : /unknown field "spec.color"/,
    );
  });

  it('scales', async () => {
    expect(await session.out('scale ct tab --replicas=3 --current-replicas=1')).toMatch(/tab scaled/);
    expect((await read()).spec.replicas).toBe(3);
    expect((await session.use('scale ct tab --replicas=99')).stderr).toContain('should be less than or equal to 10');
  });

  it('edits', async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/example.com.none/example.com\\/edited/" "$1"\n');
    chmodSync(editor, 0o755);
    expect(await session.out('edit crontab tab', { env: { EDITOR: editor } })).toContain('tab edited');
    expect((await read()).spec.image).toBe('example.com/edited');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/replicas: 3/replicas: 50/" "$1"\n');
    const refused = await session.use('edit crontab tab', { env: { EDITOR: editor } });
    expect(refused.code).toBe(1);
    expect((await read()).spec.replicas).toBe(3);
  });

  it('patches by merge and by JSON, and knows that there is no strategic merge', async () => {
    await session.out(['patch', 'ct', 'tab', '--type=merge', '-p', '{"spec":{"env":[{"name":"A","value":"1"}]}}']);
    await session.out([
      'patch',
      'ct',
      'tab',
      '--type=json',
      '-p',
      '[{"op":"add","path":"/spec/env/-","value":{"name":"B"}}]',
    ]);
    expect((await read()).spec.env).toEqual([{ name: 'A', value: '1' }, { name: 'B' }]);
    const strategic = await session.use(['patch', 'ct', 'tab', '--type=strategic', '-p', '{"spec":{}}']);
    expect(strategic.stderr).toMatch(/UnsupportedMediaType|application\/strategic-merge-patch\+json is not supported/);
  });

  it('labels, annotates and selects', async () => {
    await session.out('label ct tab tier=web');
    await session.out('annotate ct tab note=x');
    expect(await session.out('get ct -l tier=web -o name')).toBe('crontab.stable.example.com/tab\n');
    expect(await session.out('get ct -l tier!=web -o name')).toBe('');
  });

  it('applies on the server, with conflicts and lists by key', async () => {
    const apply = (manager: string, spec: object, flags = '') =>
      session.use(`apply --server-side --field-manager=${manager} -f -${flags}`, { input: crontab('ssa', spec) });
    expect((await apply('one', { image: 'a', env: [{ name: 'A', value: '1' }] })).stdout).toContain(
      'serverside-applied',
    );
    expect((await apply('two', { env: [{ name: 'B', value: '2' }] })).code).toBe(0);
    const conflict = await apply('two', { image: 'b', env: [{ name: 'B', value: '2' }] });
    expect(conflict.stderr).toMatch(/conflict with "one".*: \.spec\.image/);
    expect((await apply('two', { image: 'b' }, ' --force-conflicts')).code).toBe(0);
    expect((await session.read(`${crontabs}/ssa`)).spec).toMatchObject({
      image: 'b',
      env: [{ name: 'A', value: '1' }],
    });
  });

  it('writes the status, and waits for it', async () => {
    const status = { phase: 'Ready', conditions: [{ type: 'Ready', status: 'True' }] };
    if (isOld) {
      await session.out(['patch', 'ct', 'tab', '--type=merge', '-p', JSON.stringify({ status })]);
      expect((await read()).status).toBeUndefined();
      return;
    }
    const waiting = session.out('wait --for=jsonpath={.status.phase}=Ready ct/tab --timeout=120s');
    await session.out(['patch', 'ct', 'tab', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    expect(await waiting).toContain('condition met');
    expect(await session.out('wait --for=condition=Ready ct/tab --timeout=120s')).toContain('condition met');
    expect(await session.out('get ct tab --subresource=status -o jsonpath={.status.phase}')).toBe('Ready');
  });

  it('deletes objects, and the rest with the definition', async () => {
    expect(await session.out('delete ct ssa')).toMatch(/^crontab.stable.example.com "ssa" deleted/);
    expect(await session.out('delete crd crontabs.stable.example.com')).toContain('deleted');
    const { code, stderr } = await session.use('get crontabs');
    expect(code).toBe(1);
    // kubectl may still have the old discovery document in its cache.
    expect(stderr).toMatch(/the server could not find the requested resource|doesn't have a resource type "crontabs"/);
  });
});
