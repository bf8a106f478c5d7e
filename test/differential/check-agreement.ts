import { describe, expect, it, onTestFinished } from 'vitest';
import { newestEtcds } from '../../scripts/test-clients/etcd.ts';
import type { NetworkFetch } from '../../src/client/index.ts';
import { startServer } from '../../src/index.ts';
import { EtcdCluster } from '../etcd/etcd-cluster.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import type { TestApi } from '../wire/api.ts';
import { protobufBodies } from './body-codec.ts';
import { reportText } from './report.ts';
import { type Peer, runDifferential } from './run.ts';
import { overHttp1, overHttp2, startQuiet } from './servers.ts';

const [etcd] = newestEtcds();

/** The ways in which a server can be run and reached. Each is compared with a server in memory over HTTP/1.1. */
const ways: readonly { readonly name: string; readonly isMissing?: boolean; readonly reach: () => Promise<Peer> }[] = [
  { name: 'HTTP/2', reach: async () => reached(await startQuiet(), overHttp2) },
  { name: 'protobuf', reach: async () => ({ ...reached(await startQuiet()), codec: protobufBodies }) },
  { name: 'two threads', reach: async () => reached(await startThreads(2), (api) => overHttp1(api, 4)) },
  { name: 'the embedded store', reach: async () => reached(await startQuiet({ storage: 'embedded' })) },
  // `npm test` reports why it is missing.
  { name: 'etcd', isMissing: etcd === undefined, reach: async () => reached(await startOnEtcd()) },
];

/** Tests that the same requests have the same answers, however the server is run and reached. */
export function checkAgreement({ seed, cases }: { readonly seed: number; readonly cases: number }): void {
  describe(`${cases} cases with seed ${seed}`, () => {
    for (const { name, isMissing = false, reach } of ways) {
      it.skipIf(isMissing)(`have the same answers with ${name}`, async () => {
        const peers = [reached(await startQuiet()), await reach()] as const;
        const outcome = await runDifferential({ peers, seed, cases });
        expect(outcome.classes.length, reportText(outcome, { show: 5 })).toBe(0);
        // Otherwise the cases are too odd, or not odd enough.
        expect(outcome.accepted / outcome.requests).toBeGreaterThan(0.2);
        expect(outcome.accepted / outcome.requests).toBeLessThan(0.8);
      });
    }
  });
}

function reached(api: TestApi, connect: (api: TestApi) => NetworkFetch = overHttp1): NetworkFetch {
  const connected = connect(api);
  onTestFinished(async () => {
    connected.close();
    await api.stop();
  });
  return connected;
}

function startThreads(threads: number): Promise<TestApi> {
  return startQuiet({ threads }, async (options) => {
    const server = await startServer(options);
    await threadsReady(server, threads);
    return server;
  });
}

async function startOnEtcd(): Promise<TestApi> {
  const cluster = await EtcdCluster.start({ program: etcd! });
  onTestFinished(() => cluster.stop());
  return startQuiet({ storage: 'etcd', etcdServers: cluster.endpoints });
}
