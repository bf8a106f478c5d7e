import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { advertisedAddress } from '../../src/server/advertised-address.ts';
import { TestApi } from './api.ts';
import type { KeyPair } from './certificates.ts';

/** An address of this machine to which proxies may connect. Undefined on a machine without a network. */
export const ownAddress = advertisedAddress('127.0.0.1');

export interface ProxiedServer {
  readonly port: number;
  /** The requests since the start, newest first. */
  readonly seen: IncomingMessage[];
}

export interface ProxiedServerOptions {
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket) => void;
  /** The certificate of the server, if it uses HTTPS. */
  readonly tls?: KeyPair;
  /** The CA of client certificates, if they are required. */
  readonly clientCa?: string;
  /** Whether clients without a certificate are also served. */
  readonly clientMayHide?: boolean;
}

/** Starts a server behind a proxy on all addresses of this machine. It runs until the end of the test file. */
export async function startProxied(
  onRequest: RequestListener,
  { onUpgrade, tls, clientCa, clientMayHide = false }: ProxiedServerOptions = {},
): Promise<ProxiedServer> {
  const clients = { ca: clientCa, requestCert: clientCa !== undefined, rejectUnauthorized: !clientMayHide };
  const server = tls === undefined ? http.createServer() : https.createServer({ ...tls, ...clients });
  const seen: IncomingMessage[] = [];
  server.on('request', (request, response) => {
    seen.unshift(request);
    onRequest(request, response);
  });
  if (onUpgrade !== undefined) {
    server.on('upgrade', (request, socket: Socket) => {
      seen.unshift(request);
      socket.on('error', () => {});
      onUpgrade(request, socket);
    });
  }
  await new Promise<void>((resolve) => server.listen(0, resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

/**
 * Starts an API server that verifies kubelets and has a client certificate for them. It runs until the end of the test
 * file.
 */
export async function startForKubelets({ ca, client }: { ca: string; client: KeyPair }): Promise<TestApi> {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-kubelets-'));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const api = await TestApi.start({
    kubeletCertificateAuthority: await file('ca', ca),
    kubeletClientCertificate: await file('cert', client.cert),
    kubeletClientKey: await file('key', client.key),
  });
  afterAll(async () => {
    await api.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return api;
}

export interface PodPlace {
  readonly namespace?: string;
  readonly name: string;
  readonly ip?: string | undefined;
  /** The port of the container. */
  readonly port?: number;
}

/** Creates a pod with the status that a kubelet would report. */
export async function writePod(api: TestApi, { namespace = 'default', name, ip, port }: PodPlace): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const ports = port === undefined ? [] : [{ containerPort: port }];
  await api.post(path, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', ports }] } });
  if (ip === undefined) return;
  await api.patch(`${path}/${name}/status`, { status: { podIP: ip, podIPs: [{ ip }] } });
}

export interface WrittenEndpoint {
  readonly ip: string;
  /** By default, the endpoint has no pod. */
  readonly pod?: string;
  readonly podNamespace?: string;
  readonly ready?: boolean;
}

export interface ServicePlace {
  readonly name: string;
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly targetPort: number }[];
  readonly endpoints: readonly WrittenEndpoint[];
}

/** Creates a service and its EndpointSlice, as a controller would. */
export async function writeService(api: TestApi, { name, ports, endpoints }: ServicePlace): Promise<void> {
  const specPorts = ports.map((one) => ({ ...one, protocol: 'TCP' }));
  await api.post('/api/v1/namespaces/default/services', { metadata: { name }, spec: { ports: specPorts } });
  await api.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: `${name}-1`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: ports.map((one) => ({ name: one.name ?? '', port: one.targetPort, protocol: 'TCP' })),
    endpoints: endpoints.map(({ ip, pod, podNamespace = 'default', ready = true }) => ({
      addresses: [ip],
      conditions: { ready },
      ...(pod !== undefined && { targetRef: { kind: 'Pod', namespace: podNamespace, name: pod } }),
    })),
  });
}

/** Creates a node whose kubelet listens at an address. */
export async function writeNode(
  api: TestApi,
  { name, address = '127.0.0.1', port }: { readonly name: string; readonly address?: string; readonly port: number },
): Promise<void> {
  await api.post('/api/v1/nodes', { metadata: { name } });
  await api.patch(`/api/v1/nodes/${name}/status`, {
    status: {
      addresses: [{ type: 'InternalIP', address }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    },
  });
}
