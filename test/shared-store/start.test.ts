import { expect, it, vi } from 'vitest';
import { recordErrors } from './record-errors.ts';
import { type SharedServer, SharedStore } from './shared-store.ts';
import { describeStart } from './start.conformance.ts';

const trust = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

describeStart([1]);

it('publishes the CAs of all servers', async () => {
  const store = SharedStore.inMemory();
  const servers = await store.startAll(3, () => ({ controllers: [] }));
  const { data } = (await servers[0]!.api.get(trust)).body;
  const blocks = (text: string): string[] => text.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
  const authorities = servers.map(({ api }) => api.tls.ca.toString().trim());
  expect(new Set(blocks(data['client-ca-file']))).toEqual(new Set(authorities));
  expect(blocks(data['requestheader-client-ca-file'])).toHaveLength(3);
  expect(JSON.parse(data['requestheader-allowed-names'])).toEqual(['front-proxy-client']);
});

it('logs that other servers have different keys', async () => {
  const store = SharedStore.inMemory();
  const { log, errors } = recordErrors();
  await store.start({ log });
  const other: SharedServer = await store.start({});
  await vi.waitFor(() => {
    expect(errors.some((message) => message.includes('--service-account-signing-key-file'))).toBe(true);
    expect(errors.some((message) => message.includes('certificate of another CA'))).toBe(true);
  });
  await other.stop();
});
