import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
const configurations = '/apis/admissionregistration.k8s.io/v1';

async function generation(path: string): Promise<number> {
  return (await api.get(path)).body.metadata.generation;
}

/** Replaces an object twice without its version. Returns by how much each write raises the generation. */
async function raisedBy(path: string, changed: object): Promise<number[]> {
  const raised: number[] = [];
  for (let write = 0; write < 2; write++) {
    const { body } = await api.get(path);
    const response = await api.put(path, { ...body, ...changed });
    expect(response.status).toBe(200);
    expect(response.text).not.toMatch(/\[\]|matchLabels":\{\}/);
    raised.push(response.body.metadata.generation - body.metadata.generation);
  }
  return raised;
}

it.each<[string, object, number]>([
  ['empty rules', { podSelector: {}, ingress: [] }, 1],
  ['no rules', { podSelector: {} }, 0],
  ['rules that are null', { podSelector: {}, ingress: null }, 0],
  ['an empty map in a selector', { podSelector: { matchLabels: {} } }, 1],
  ['empty peers', { podSelector: {}, ingress: [{ from: [], ports: [{ port: 80 }] }] }, 1],
  ['empty types, which have a default', { podSelector: {}, policyTypes: [] }, 0],
])('counts each update of a network policy with %s', async (name, spec, expected) => {
  const path = `${policies}/${name.replaceAll(/\W/g, '-')}`;
  await api.post(policies, { metadata: { name: path.slice(policies.length + 1) }, spec });
  expect(await generation(path)).toBe(1);
  expect(await raisedBy(path, { spec })).toEqual([expected, expected]);
});

it.each(['merge', 'strategic', 'json'])('counts a %s patch with an empty list, and no other patch', async (type) => {
  const path = `${policies}/patched-${type}`;
  await api.post(policies, { metadata: { name: `patched-${type}` }, spec: { podSelector: {}, egress: [] } });
  const patch = (at: string, value: unknown) => {
    const [first, second] = at.split('/') as [string, string];
    return api.patch(
      path,
      type === 'json' ? [{ op: 'add', path: `/${at}`, value }] : { [first]: { [second]: value } },
      type,
    );
  };
  expect((await patch('spec/ingress', [])).body.metadata.generation).toBe(2);
  expect((await patch('metadata/labels', { a: 'b' })).body.metadata.generation).toBe(2);
  expect((await patch('metadata/labels', {})).body.metadata.generation).toBe(2);
  expect((await patch('spec/ingress', [])).body.metadata.generation).toBe(3);
});

it('counts an applied configuration with an empty list', async () => {
  const body = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'applied' },
    spec: { podSelector: {}, ingress: [] },
  };
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const generations: number[] = [];
  for (let write = 0; write < 3; write++) {
    const response = await api.call('PATCH', `${policies}/applied?fieldManager=m`, { body, headers });
    generations.push(response.body.metadata.generation);
  }
  expect(generations).toEqual([1, 2, 3]);
});

it.each(['mutating', 'validating'])('counts each update of a %s configuration without webhooks', async (type) => {
  const collection = `${configurations}/${type}webhookconfigurations`;
  await api.post(collection, { metadata: { name: 'none' }, webhooks: [] });
  expect(await raisedBy(`${collection}/none`, { webhooks: [] })).toEqual([1, 1]);
  expect(await raisedBy(`${collection}/none`, { webhooks: undefined })).toEqual([0, 0]);
});

it('does not count an empty list of other types', async () => {
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
  const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
  await api.post(path, { metadata: { name: 'i' }, spec });
  expect(await raisedBy(`${path}/i`, { spec: { ...spec, rules: [] } })).toEqual([0, 0]);
});
