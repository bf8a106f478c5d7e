import { WebSocket } from 'ws';
import { compareTurns, notMeasured, type Round } from '../comparison.ts';
import type { Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { cpuSeconds } from '../servers/cpu-time.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import type { Server } from '../servers/server.ts';
import { startStreamServer } from '../servers/stream-server-process.ts';

const name = 'exec-throughput';
const execPath = '/api/v1/namespaces/default/pods/p/exec?command=x&stdout=1';

/**
 * The output of a command: the client uses a WebSocket with channels, and the server uses SPDY to the kubelet. The
 * baseline relays the messages of a plain WebSocket server.
 */
export const execScenario: Scenario = {
  name,
  run: async (bench) => {
    const source = await startStreamServer(bench);
    const bare = await startStreamServer(bench, source);
    const ours = await startKeelson(bench, await bench.makeDirectory(), {
      flags: ['--disable-admission-plugins=ServiceAccount'],
    });
    await makePod(ours, source.port);
    const comparison = await compareTurns(bench, { ours, bare }, (server, { seconds }) =>
      readFor(server, server === ours ? execPath : '/', seconds),
    );
    await Promise.all([ours.stop(), bare.stop(), source.stop()]);
    const title = 'exec, output of a command / relay of a WebSocket';
    return [{ name, title, unit: 'MB/s', better: 'higher', goal: { ratio: 0.7 }, ...comparison }];
  },
};

async function makePod(server: Server, kubeletPort: number): Promise<void> {
  const call = (method: 'POST' | 'PUT', path: string, body: object) =>
    callApi(server.target('http/1.1'), { method, path, body: JSON.stringify(body) });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
  const { body } = await call('POST', '/api/v1/nodes', node);
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
  };
  await call('PUT', '/api/v1/nodes/n/status', { ...(JSON.parse(body.toString()) as object), status });
  const containers = [{ name: 'c', image: 'registry.example/c' }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeName: 'n', containers } };
  await call('POST', '/api/v1/namespaces/default/pods', pod);
}

/** Reads for this time after the first message. Counts megabytes instead of requests. */
function readFor(server: Server, path: string, seconds: number): Promise<Round> {
  const { host, port, ...tls } = server.target('http/1.1');
  const socket = new WebSocket(`wss://${host}:${port}${path}`, ['v5.channel.k8s.io'], {
    ...tls,
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let startedAt = 0;
    let cpuBefore: number | undefined;
    const begin = (): void => {
      startedAt = performance.now();
      cpuBefore = cpuSeconds(server.pid);
      setTimeout(() => {
        const megabytes = bytes / 1e6;
        const cpu = (cpuSeconds(server.pid) ?? Number.NaN) - (cpuBefore ?? Number.NaN);
        const elapsed = (performance.now() - startedAt) / 1000;
        const cpuMicrosPerRequest = (cpu * 1e6) / megabytes;
        resolve({ requests: megabytes, seconds: elapsed, bodyBytes: bytes, cpuMicrosPerRequest, ...notMeasured });
        socket.terminate();
      }, seconds * 1000);
    };
    socket.on('message', (data: Buffer) => {
      // The first message of a command is empty.
      if (startedAt === 0 && data.length > 1) begin();
      bytes += data.length;
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
  });
}
