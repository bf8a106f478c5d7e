import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
/** An int64 that a JavaScript number cannot represent. */
const long = '9007199254740993';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** Returns JSON as text, because JSON.stringify cannot write the number. */
function deployment(name: string, more = ''): string {
  const spec = `{"terminationGracePeriodSeconds":${long},"containers":[{"name":"c","image":"registry.example/c:1"}]}`;
  const template = `{"metadata":{"labels":{"app":"x"}},"spec":${spec}}`;
  return `{"metadata":{"name":"${name}"${more}},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":${template}}}`;
}

it('are kept to the last digit by every verb', async () => {
  const field = `"terminationGracePeriodSeconds":${long}`;
  const path = `${deployments}/long`;
  const created = await api.post(deployments, deployment('long'));
  expect(created.status).toBe(200);
  expect(created.text).toContain(field);
  expect((await api.get(path)).text).toBe(created.text);
  expect((await api.get(`${path}?pretty=true`)).text).toContain(`"terminationGracePeriodSeconds": ${long}`);
  expect((await api.get(deployments)).text).toContain(field);
  expect((await api.get(`${deployments}?pretty=true`)).text).toContain(`: ${long}`);
  for (const type of ['merge', 'strategic']) {
    const patched = await api.patch(path, { metadata: { labels: { [type]: 'yes' } } }, type);
    expect(patched.status).toBe(200);
    expect(patched.text).toContain(field);
  }
  const json = await api.patch(path, [{ op: 'add', path: '/metadata/labels/json', value: 'yes' }], 'json');
  expect(json.text).toContain(field);
  const status = await api.put(`${path}/status`, json.text);
  expect(status.text).toContain(field);
  expect((await api.delete(`${path}?dryRun=All`)).status).toBe(200);
});

it('do not count as a change when they stay the same', async () => {
  const created = await api.post(deployments, deployment('still'));
  expect((await api.put(`${deployments}/still`, created.text)).text).toBe(created.text);
  const labelled = await api.put(`${deployments}/still`, deployment('still', ',"labels":{"a":"b"}'));
  expect(labelled.body.metadata.generation).toBe(1);
  const other = await api.put(`${deployments}/still`, deployment('still').replace(long, '9007199254740995'));
  expect(other.body.metadata.generation).toBe(2);
});

it('do not get in the way of other complaints', async () => {
  await api.post(deployments, deployment('complained'));
  const complaints = {
    merge: 'json: cannot unmarshal string into Go struct field',
    strategic: 'unrecognized type: int32',
  };
  for (const [type, complaint] of Object.entries(complaints)) {
    const patch = `{"spec":{"replicas":"many","template":{"spec":{"activeDeadlineSeconds":${long}}}}}`;
    const { status, body } = await api.patch(`${deployments}/complained`, patch, type);
    expect(status).toBe(422);
    expect(body.message).toContain(complaint);
  }
});

it('are refused when no int64 holds them', async () => {
  const { status, body } = await api.post(deployments, deployment('longer').replace(long, '9223372036854775808'));
  expect(status).toBe(400);
  expect(body.message).toMatch(/cannot unmarshal number [0-9]+ into Go struct field/);
});
