import { describe, expect, it, vi } from 'vitest';
import { type ApiServiceSource, ApiServices } from '../aggregation/api-services.ts';
import { checkAvailability } from '../aggregation/availability-check.ts';
import { ExtensionAccess } from '../aggregation/extension-access.ts';
import { parsedResponse, RemoteDocuments, type RemoteDocumentsOptions } from '../aggregation/remote-documents.ts';
import { fetchJson } from '../authn/jwt/fetch-json.ts';
import { listen, sendHttp1 } from '../http/listener/test-listener.conformance.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { respondError } from '../http/render.ts';
import { callKubelet, readExplanation } from '../kubelet/kubelet-request.ts';
import { specification } from '../meta/compatibility.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { StatusError } from '../meta/status-error.ts';
import { forward } from '../proxy/forward.ts';
import { ServerConnections } from '../proxy/server-connections.ts';
import { localProbe } from '../virtual/component-statuses.ts';
import { hostilePeers, type RunningPeer, startPeer } from './hostile-peer.conformance.ts';
import { HttpTarget } from './http-target.ts';
import { JsonEndpoint } from './json-endpoint.ts';
import { networkFetch } from './network-fetch.ts';
import { readText } from './read-text.ts';
import { WebhookClients } from './webhook/index.ts';

const timeoutMs = 150;
const maxResponseBytes = 100_000;
/** Only shows that a call does not wait for the peer. */
const settleMs = 20_000;

/** Makes one call. It may succeed: some of these responses are usable. */
type Call = (peer: RunningPeer) => Promise<unknown>;

const formats = new ObjectFormats(['json']);

function accessTo(port: number): ExtensionAccess {
  const clientPair = () => ({}) as { cert: string; key: string };
  return new ExtensionAccess({ resolve: () => ({ host: '127.0.0.1', port }), clientPair, timeoutMs });
}

function apiServiceAt(port: number) {
  const service = { namespace: 'default', name: 'extension', port };
  const priorities = { groupPriorityMinimum: 1, versionPriority: 1 };
  return { group: 'g.example', version: 'v1', ...priorities, service, insecureSkipTLSVerify: true };
}

const calls: Readonly<Record<string, Call>> = {
  'a GET': async ({ url, ca }) => {
    const target = new HttpTarget({ url, ca });
    return target.get({ path: '/', headers: {}, maxResponseBytes, timeoutMs }).finally(() => target.close());
  },
  'a webhook that gets a kubeconfig': async ({ url, ca }) => {
    const endpoint = new JsonEndpoint({ url, ca }, { timeoutMs, totalMs: 2 * timeoutMs, firstPauseMs: 1 });
    return endpoint.post({}).finally(() => endpoint.close());
  },
  'a webhook for admission or conversion': async ({ url, ca }) => {
    const clients = new WebhookClients({ services: { resolve: () => ({ host: '127.0.0.1', port: 0 }) } });
    const client = clients.get({ url: url.href, caBundle: Buffer.from(ca).toString('base64') });
    return client.post({ text: '{}', timeoutMs, maxResponseBytes }).finally(() => clients.close());
  },
  'a request to an API server': async ({ url, ca }) => {
    const { fetch, close } = networkFetch({ url, ca }, { timeoutMs });
    const signal = AbortSignal.timeout(2 * timeoutMs);
    return fetch({ method: 'GET', path: '/', signal }).then(readText).finally(close);
  },
  'the discovery of an issuer': ({ url, ca }) =>
    fetchJson(url.href, { certificateAuthority: ca, timeoutMs, maxBytes: maxResponseBytes }),
  'a request to a kubelet': async ({ port }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const kubelet = { host: '127.0.0.1', port, tls: { rejectUnauthorized: false }, connectTimeoutMs: timeoutMs };
    const { head } = await callKubelet(kubelet, { method: 'GET', path: '/', headers: {}, signal });
    return readExplanation(head, 1000);
  },
  'the check of an APIService': ({ port }) => {
    const access = accessTo(port);
    const metadata = { name: 'v1.g.example' };
    const external = { kind: 'Service', apiVersion: 'v1', metadata: {}, spec: { type: 'ExternalName' } };
    const objects = { get: () => external, list: () => [] };
    return checkAvailability(
      { kind: 'APIService', apiVersion: 'v1', metadata, spec: apiServiceAt(port) },
      { objects, access },
    );
  },
  'the documents of an APIService': async ({ port }) => {
    const stop = new AbortController();
    const access = accessTo(port);
    const spec = apiServiceAt(port);
    const status = { conditions: [{ type: 'Available', status: 'True' }] };
    const apiService = { kind: 'APIService', apiVersion: 'v1', metadata: { name: 'v1.g.example' }, spec, status };
    const apiServices = new ApiServices();
    const follow: ApiServiceSource['follow'] = async (_type, { onPut }) => onPut(apiService as ResourceObject);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fetch: RemoteDocumentsOptions<unknown>['fetch'] = async ({ get }) => {
      const document = parsedResponse(await get('/', { headers: {}, maxResponseBytes }));
      resolve();
      return document;
    };
    const options = { apiServices, access, about: 'discovery', fetch, onChange: () => {}, report: reject };
    const documents = new RemoteDocuments(options, stop.signal);
    await apiServices.follow({ follow }, { onError: reject, signal: stop.signal });
    expect(documents.all()).toMatchObject([{ group: 'g.example' }]);
    return promise.finally(() => stop.abort());
  },
  'a request that is passed on to an extension server': async ({ port, ca }) => {
    const server = { protocol: 'https:' as const, host: '127.0.0.1', port, tls: { ca } };
    const connections = new ServerConnections(server);
    const stop = AbortSignal.timeout(2 * timeoutMs);
    const upstream = { ...server, connections, path: '/', responseTimeoutMs: timeoutMs };
    const listener = await listen((exchange) => {
      forward(exchange, upstream, { stop, idleTimeoutMs: timeoutMs }).catch((error: StatusError) =>
        respondError({ exchange, formats, compatibility: specification }, error),
      );
    });
    return sendHttp1(listener).finally(() => connections.close());
  },
  'the check of a component': ({ port }) => localProbe(port, timeoutMs)(),
};

/** Rejects if the call does not settle by itself. */
async function settled(call: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the call did not settle')), settleMs);
  });
  const ended = call.then(
    () => {},
    (error: Error) => expect(error.message).not.toBe(''),
  );
  await Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

describe.each(Object.entries(calls))('%s settles and leaves no connection to a server that', (_name, call) => {
  it.each(Object.entries(hostilePeers))('%s', async (_peer, behave) => {
    const peer = await startPeer(behave);
    await settled(call(peer));
    await vi.waitFor(() => expect(peer.open()).toBe(0));
  });

  it('does not answer the TLS handshake', async () => {
    const peer = await startPeer(undefined);
    await settled(call(peer));
    await vi.waitFor(() => expect(peer.open()).toBe(0));
  });
});
