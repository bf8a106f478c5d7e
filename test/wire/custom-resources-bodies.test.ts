import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { cronTab, defineCronTabs } from './crontabs.ts';
import { warningsOf } from './warnings-of.ts';

const group = 'bodies.example.com';
let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await TestApi.start();
  path = await defineCronTabs(api, { group });
  await api.post(path, cronTab(group, 'x', { spec: { n: 1 } }));
});
afterAll(() => api.stop());

const metadata = { name: 'q' };
const refused = (apiVersion: string) =>
  `the API version in the data (${apiVersion}) does not match the expected API version (${group}/v1)`;

describe('the body of a custom object', () => {
  it.each<[string, object, number, string]>([
    [
      'without kind',
      { apiVersion: `${group}/v1`, metadata },
      400,
      `the object provided is unrecognized (must be of type CronTab): Object 'Kind' is missing in ` +
        `'{"apiVersion":"${group}/v1","metadata":{"name":"q"}}' ({"apiVersion":"bodies.example. ...)`,
    ],
    ['without apiVersion', { kind: 'CronTab', metadata }, 400, refused('')],
    ['of another version', { apiVersion: `${group}/v2`, kind: 'CronTab', metadata }, 400, refused(`${group}/v2`)],
    ['of another group', { apiVersion: 'v1', kind: 'ConfigMap', metadata }, 400, refused('v1')],
    [
      'of another kind',
      { apiVersion: `${group}/v1`, kind: 'Foo', metadata },
      422,
      `Foo.${group} "q" is invalid: kind: Invalid value: "Foo": must be CronTab`,
    ],
  ])('%s is refused', async (_, sent, status, message) => {
    const { body } = await api.post(`${path}?dryRun=All`, sent);
    expect(body).toMatchObject({ code: status, message });
  });

  it('in YAML, without kind, is shown as JSON', async () => {
    const sent = `metadata: {name: q}\napiVersion: ${group}/v1\n`;
    const { body } = await api.post(path, sent, { headers: { 'content-type': 'application/yaml' } });
    expect(body.message).toContain(`is missing in '{"apiVersion":"${group}/v1","metadata":{"name":"q"}}'`);
  });

  it('may have finalizers without a domain, with a warning about new ones', async () => {
    const created = await api.post(path, cronTab(group, 'f', { metadata: { name: 'f', finalizers: ['x'] } }));
    const advice =
      'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
    expect(warningsOf(created.headers)).toEqual([`metadata.finalizers: "x": ${advice}`]);
    const { headers } = await api.patch(`${path}/f`, { metadata: { labels: { a: 'b' } } });
    expect(warningsOf(headers)).toEqual([]);
  });
});

describe('a patch of a custom object', () => {
  it.each([
    [{ kind: 'Other' }, `Other.${group} "x" is invalid: kind: Invalid value: "Other": must be CronTab`],
    [
      { apiVersion: `${group}/v9` },
      `CronTab.${group} "x" is invalid: apiVersion: Invalid value: "${group}/v9": must be ${group}/v1`,
    ],
  ])('cannot change its type to %j', async (patch, message) => {
    const { body } = await api.patch(`${path}/x`, patch);
    expect(body).toMatchObject({ code: 422, reason: 'Invalid', message, details: { name: 'x', group } });
  });
});
