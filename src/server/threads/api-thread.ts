import { parentPort, workerData } from 'node:worker_threads';
import { deferRootCertificates } from '../../client/index.ts';
import { startAdditionalThread } from '../start-server.ts';
import { AdditionalThread } from './additional-thread.ts';
import { additionalThreadLog } from './additional-thread-log.ts';
import { ThreadLink } from './thread-link.ts';
import type { AdditionalThreadCalls, FirstThreadCalls, ThreadStart } from './thread-protocol.ts';
import { followYoungGeneration } from './young-generation.ts';

// An additional thread of a server. It exits when it cannot continue, and the first thread restarts it.

const port = parentPort;
if (!port) throw new Error('this is a thread of a server');

const start = workerData as ThreadStart;
const link = new ThreadLink<AdditionalThreadCalls, FirstThreadCalls>(port, {
  metrics: async (path) => (await running).metrics(path),
  resetMetrics: async (path) => (await running).resetMetrics(path),
  requests: async () => (await running).requests(),
  flowState: async () => (await running).flowState(),
  auditEvents: async (limit) => (await running).auditEvents(limit),
  createsEnded: async (scope) => (await running).createsEnded(scope),
  renew: async (keys) => (await running).renew(keys),
  connectLargeRequests: (port) => additionalThread.onLargeRequests(port),
  spreadConnections: async () => (await running).spreadConnections(),
  shutDown: async () => (await running).shutDown(),
  stop: async () => (await running).stop(),
});
link.notify('loaded', undefined);
deferRootCertificates();
const log = additionalThreadLog(start, (message) => link.notify('log', message));
// Nothing that one client sends may close the connections of others.
process.on('uncaughtException', (err, origin) => log.error('uncaught error', { origin, err }));
// Without its events the thread would serve stale objects.
const fail = (err: Error): void => {
  log.error('the thread cannot go on', { err });
  process.exit(1);
};
const additionalThread = new AdditionalThread(start, link);
const running = startAdditionalThread({ start, additionalThread, log, fail });
running
  .then(() => {
    link.notify('ready', undefined);
    followYoungGeneration((size) => link.notify('youngGeneration', size));
  })
  .catch((error: unknown) => {
    log.error('the thread cannot start', { err: error });
    process.exit(1);
  });
