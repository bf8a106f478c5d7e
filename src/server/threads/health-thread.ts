import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { HealthCalls, HealthReport, HealthStart, HealthThreadCalls } from './health-port.ts';
import { ThreadLink } from './thread-link.ts';

// Serves only health checks, so that no other request delays it. The first thread runs the checks. While that thread
// is busy, its last result is used for a limited time.

/** How long to wait for the first thread before its last result is reused, in milliseconds. */
const waitMs = 500;
/** The maximum number of concurrent checks. Checks with the same path share the result. */
const maxPendingChecks = 16;
const maxConnections = 64;
const maxPath = 1000;

const endpoints = ['/livez', '/readyz', '/healthz'];
const { host, port, maxSilenceMs } = workerData as HealthStart;
const link = new ThreadLink<HealthThreadCalls, HealthCalls>(parentPort as MessagePort, {});
const pendingChecks = new Map<string, Promise<HealthReport>>();
/** The last result of each endpoint. */
const last = new Map<string, HealthReport>();
/** The time since which the first thread has not replied. */
let silentSince: number | undefined;

function requestCheck(path: string): Promise<HealthReport> {
  const known = pendingChecks.get(path);
  if (known !== undefined) return known;
  const since = performance.now();
  const failed = ({ message }: Error): HealthReport => ({ status: 500, text: `${message}\n` });
  const report = link
    .call('check', path)
    .catch(failed)
    .then((received) => {
      pendingChecks.delete(path);
      silentSince = undefined;
      if (endpoints.includes(path)) last.set(path, received);
      return received;
    });
  pendingChecks.set(path, report);
  setTimeout(() => {
    if (pendingChecks.get(path) === report) silentSince ??= since;
  }, waitMs).unref();
  return report;
}

async function reportOf(path: string): Promise<HealthReport> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), waitMs).unref());
  const isCheckable = pendingChecks.has(path) || pendingChecks.size < maxPendingChecks;
  const report = isCheckable ? await Promise.race([requestCheck(path), late]) : await late;
  if (report !== undefined) return report;
  const silentMs = silentSince === undefined ? 0 : performance.now() - silentSince;
  const before = last.get(path);
  if (before !== undefined && silentMs < maxSilenceMs) return before;
  return { status: 500, text: `the server has not answered for ${Math.round(silentMs / 1000)} s\n` };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  const isServed = /^\/(?:livez|readyz|healthz)(?:[/?]|$)/.test(path) && path.length <= maxPath;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const refusal = isRead ? { status: 404, text: 'not found\n' } : { status: 405, text: 'method not allowed\n' };
  const { status, text } = isServed && isRead ? await reportOf(path) : refusal;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

const server = createServer((request, response) => {
  respond(request, response).catch(() => response.destroy());
});
server.maxConnections = maxConnections;
server.once('error', (error) => link.notify('failed', error.message));
server.listen({ host, port }, () => {
  // Run each check once, so that a result is available at once.
  for (const endpoint of endpoints) void requestCheck(endpoint);
  link.notify('listening', (server.address() as { port: number }).port);
});
