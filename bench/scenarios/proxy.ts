import { networkInterfaces } from 'node:os';
import { compare } from '../comparison.ts';
import { makeNamespace } from '../fixtures/filled-namespace.ts';
import type { Scenario } from '../scenario.ts';
import { callApi } from '../servers/api-call.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { startBareProxy, startProxiedTarget } from '../servers/proxy-processes.ts';
import type { Server } from '../servers/server.ts';

const name = 'proxy';
const namespace = 'bench-proxy';
const objects = `/api/v1/namespaces/${namespace}`;

/** The cost of passing a small response on from a pod of a service. */
export const proxyScenario: Scenario = {
  name,
  run: async (bench) => {
    const ip = ownAddress();
    const target = await startProxiedTarget(bench);
    const ours = await startKeelson(bench, await bench.makeDirectory());
    const bare = await startBareProxy(bench, new URL(`http://${ip}:${target.message}`));
    await writeService(ours, { ip, port: target.message });
    const request = { method: 'GET', path: `${objects}/services/web:80/proxy/hello` } as const;
    await callApi(ours.target('http/1.1'), request);
    const comparison = await compare(
      bench,
      { ours, bare },
      { protocol: 'http/1.1', connections: 32, streams: 1, request: () => request },
    );
    await Promise.all([ours.stop(), bare.stop(), target.stop()]);
    return [
      {
        name,
        title: 'GET through the proxy of a service / a bare proxy',
        unit: 'requests/s',
        better: 'higher',
        goal: { ratio: 0.7 },
        ...comparison,
      },
    ];
  },
};

/** Proxies do not connect to loopback addresses. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ internal, family }) => !internal && family === 'IPv4');
  if (found === undefined) throw new Error('this machine has no IPv4 address for a pod');
  return found.address;
}

async function writeService(server: Server, { ip, port }: { ip: string; port: number }): Promise<void> {
  const post = (path: string, object: object) =>
    callApi(server.target('http/1.1'), { method: 'POST', path, body: JSON.stringify(object) });
  await makeNamespace(server, namespace);
  await post(`${objects}/pods`, { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await callApi(server.target('http/1.1'), {
    method: 'PATCH',
    path: `${objects}/pods/web/status`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ status: { podIP: ip, podIPs: [{ ip }] } }),
  });
  await post(`${objects}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await post(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: '', port, protocol: 'TCP' }],
    endpoints: [{ addresses: [ip], targetRef: { kind: 'Pod', namespace, name: 'web' } }],
  });
}
