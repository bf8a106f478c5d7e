import { afterAll, beforeAll, expect, it } from 'vitest';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

// Each thread creates its own profile. The next test creates another one.
it.skipIf(testedThreads > 1)('takes one profile at a time', async () => {
  const all = await Promise.all([1, 2].map(() => api.get('/debug/pprof/profile?seconds=0.5')));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 500]);
  expect(all.find(({ status }) => status === 500)?.text).toBe('another profile is being taken\n');
  expect(all.find(({ status }) => status === 200)?.body.nodes.length).toBeGreaterThan(0);
});

it('serves processor profiles in the format of Chrome', async () => {
  const { status, headers, body } = await api.get('/debug/pprof/profile?seconds=0.2');
  expect(status).toBe(200);
  expect(headers['content-disposition']).toBe('attachment; filename="keelson.cpuprofile"');
  expect(body.nodes.length).toBeGreaterThan(0);
  expect(body.endTime).toBeGreaterThan(body.startTime);
  expect(body.samples.length).toBe(body.timeDeltas.length);
});

it('serves heap profiles in the format of Chrome', async () => {
  const { status, headers, body } = await api.get('/debug/pprof/heap?seconds=0.2');
  expect(status).toBe(200);
  expect(headers['content-disposition']).toBe('attachment; filename="keelson.heapprofile"');
  expect(body.head.callFrame.functionName).toBe('(root)');
});

it.each(['0', '-1', 'x', '601'])('refuses seconds=%s', async (seconds) => {
  expect(await api.get(`/debug/pprof/profile?seconds=${seconds}`)).toMatchObject({
    status: 400,
    text: 'seconds must be a number above 0, up to 600\n',
  });
});

it('lists the profiles to those who may see them', async () => {
  expect((await api.get('/debug/pprof')).text).toContain('/debug/pprof/heap?seconds=10');
  const as = { headers: { 'impersonate-user': 'nobody' } };
  expect((await api.call('GET', '/debug/pprof/heap', as)).status).toBe(403);
  expect((await api.get('/debug/pprof/goroutine')).status).toBe(404);
});

it('serves none without --profiling', async () => {
  const plain = await TestApi.start({ profiling: false });
  try {
    expect((await plain.get('/debug/pprof/profile?seconds=0.1')).status).toBe(404);
    expect((await plain.call('DELETE', '/metrics')).text).not.toBe('metrics reset\n');
    expect((await plain.get('/metrics')).status).toBe(200);
  } finally {
    await plain.stop();
  }
});
