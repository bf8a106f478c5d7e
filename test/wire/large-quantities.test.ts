import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** Written as `10`, because there is no suffix for it. */
const large = '10000000000000000000000';
const warning = 'fractional byte value "10" is invalid, must be an integer';

const pod = (resources: object) =>
  api.post('/api/v1/namespaces/default/pods?dryRun=All', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources }] },
  });

it.each([large, '10000E'])('compares a request for %s with its limit', async (memory) => {
  const { status, body } = await pod({ requests: { memory }, limits: { memory: '1Gi' } });
  expect(status).toBe(422);
  expect(body.details.causes).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'spec.containers[0].resources.requests',
      message: 'Invalid value: "10": must be less than or equal to memory limit of 1Gi',
    },
  ]);
});

it('defaults a request to a large limit', async () => {
  const { status, body } = await pod({ requests: { cpu: '1' }, limits: { memory: large } });
  expect(status).toBe(200);
  expect(body.spec.containers[0].resources).toEqual({ requests: { cpu: '1', memory: '10' }, limits: { memory: '10' } });
});

it('accepts a request for less than a large limit', async () => {
  expect((await pod({ requests: { memory: '1Gi' }, limits: { memory: large } })).status).toBe(200);
});

it.each(['requests', 'limits'])('warns about large %s, whose thousandths do not fit 64 bits', async (list) => {
  const { status, headers } = await api.post('/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All', {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' }, [list]: { storage: large } } },
  });
  expect(status).toBe(200);
  expect(String(headers.warning).replaceAll('\\', '')).toContain(`spec.resources.${list}[storage]: ${warning}`);
});

it.each(['/api/v1/nodes', '/api/v1/namespaces/default/resourcequotas'])('refuses large counts in %s', async (path) => {
  const amounts = { pods: large };
  const object = path.endsWith('nodes') ? { status: { capacity: amounts } } : { spec: { hard: amounts } };
  const { status, body } = await api.post(`${path}?dryRun=All`, { metadata: { name: 'n' }, ...object });
  expect(status).toBe(422);
  expect(body.message).toContain('Invalid value: "10": must be an integer');
});
