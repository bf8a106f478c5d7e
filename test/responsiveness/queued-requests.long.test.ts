import { connect } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import { asUser } from './storm.ts';
import { WatchedServer } from './watched-server.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const connections = 40;
const streams = 250;
const mebibyte = 1024 * 1024;

it('needs little memory for 10,000 requests that wait, even if each sends a body', async () => {
  // A request waits for a quarter of its timeout, and on a slow machine the last one comes late.
  const flags = ['--authorization-mode=AlwaysAllow', '--request-timeout=1h'];
  const server = await WatchedServer.start({ crowd: 100, flags });
  onTestFinished(() => server.stop());
  const { api } = server;
  const queuing = { queues: 256, handSize: 1, queueLengthLimit: 1000 };
  const limited = {
    nominalConcurrencyShares: 0,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Queue', queuing },
  };
  await api.post(`${group}/prioritylevelconfigurations`, {
    metadata: { name: 'jail' },
    spec: { type: 'Limited', limited },
  });
  const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
  const rules = [{ subjects: [{ kind: 'Group', group: { name: 'dev' } }], resourceRules: [rule] }];
  const spec = {
    priorityLevelConfiguration: { name: 'jail' },
    matchingPrecedence: 10,
    distinguisherMethod: { type: 'ByUser' },
    rules,
  };
  await api.post(`${group}/flowschemas`, { metadata: { name: 'jail' }, spec });
  const before = await server.memory();
  const statuses: number[] = [];
  const body = Buffer.alloc(16 * 1024, ' ');
  for (let at = 0; at < connections; at++) {
    const session = connect(api.server.url, api.tls);
    onTestFinished(() => session.destroy());
    session.on('error', () => {});
    for (let stream = 0; stream < streams; stream++) {
      const { headers } = asUser(`user-${at}-${stream % 25}`);
      const path = '/api/v1/namespaces/default/configmaps';
      const sent = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/json',
        ...headers,
      });
      sent.on('error', () => {});
      sent.on('response', ({ ':status': status }) => statuses.push(status!));
      sent.end(body);
    }
  }
  const waiting = async (): Promise<number> => {
    const { text } = await api.get('/debug/api_priority_and_fairness/dump_priority_levels');
    const row = text.split('\n').find((line) => line.startsWith('jail'))!;
    return Number(row.split(',')[4]);
  };
  await expect.poll(waiting).toBe(connections * streams);
  const grown = (await server.memory()) - before;
  console.log(`${Math.round(grown / mebibyte)} MiB for ${connections * streams} requests`);
  // The bodies, and 30 KiB for each request.
  expect(grown).toBeLessThan(connections * streams * (body.length + 30 * 1024));
  // All requests finish when there are seats.
  await api.patch(`${group}/prioritylevelconfigurations/jail`, {
    spec: { limited: { nominalConcurrencyShares: 100 } },
  });
  await expect.poll(() => statuses.length).toBe(connections * streams);
  expect(await waiting()).toBe(0);
});
