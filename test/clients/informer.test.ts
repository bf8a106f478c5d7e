import {
  CoreV1Api,
  type Informer,
  KubeConfig,
  makeInformer,
  type ObjectCache,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Server, ServerOptions } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const namespace = 'default';
const path = `/api/v1/namespaces/${namespace}/configmaps`;

let server: Server;
let proxy: CuttingProxy;
/** Connects to the server directly. */
let core: CoreV1Api;
/** Connects to the server through the proxy. */
let proxied: KubeConfig;

async function start(options: ServerOptions = {}): Promise<void> {
  server = await startTestedServer({ storage: 'memory', controllers: [], ...options });
  proxy = await CuttingProxy.start(server.url);
  const direct = new KubeConfig();
  direct.loadFromString(server.kubeconfig);
  core = direct.makeApiClient(CoreV1Api);
  proxied = new KubeConfig();
  proxied.loadFromString(server.kubeconfig.replaceAll(server.url, proxy.url));
}
afterEach(async () => {
  await proxy.stop();
  await server.stop();
});

const create = (name: string) => core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
const remove = (name: string) => core.deleteNamespacedConfigMap({ namespace, name });
const change = (name: string, k: string) =>
  core.replaceNamespacedConfigMap({ namespace, name, body: { metadata: { name }, data: { k } } });

/** An informer that records its events and counts its lists. */
class Listener {
  readonly seen: string[] = [];
  readonly informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;
  lists = 0;
  errors = 0;

  constructor() {
    const api = proxied.makeApiClient(CoreV1Api);
    this.informer = makeInformer<V1ConfigMap>(proxied, path, () => {
      this.lists++;
      return api.listNamespacedConfigMap({ namespace });
    });
    for (const event of ['add', 'update', 'delete'] as const) {
      this.informer.on(event, ({ metadata }) => this.seen.push(`${event} ${metadata?.name}`));
    }
    this.informer.on('error', () => this.errors++);
  }

  async sees(...expected: string[]): Promise<void> {
    await vi.waitUntil(() => this.seen.length >= expected.length, { interval: 5 });
    expect(this.seen.splice(0)).toEqual(expected);
  }

  known(): string[] {
    return this.informer
      .list(namespace)
      .map(({ metadata, data }) => `${metadata?.name}${data === undefined ? '' : `=${data.k}`}`)
      .sort();
  }

  /** Cuts the connections and waits until the informer has reported an error. It must then be restarted. */
  async cutOff(): Promise<void> {
    proxy.cut();
    await vi.waitUntil(() => this.errors > 0, { interval: 5 });
  }
}

describe('an informer', () => {
  beforeEach(() => start());

  it('goes on where its watch was cut, without listing again', async () => {
    await create('a');
    await create('b');
    const listener = new Listener();
    await listener.informer.start();
    await create('c');
    await listener.sees('add a', 'add b', 'add c');
    await listener.cutOff();
    await remove('a');
    await change('b', '1');
    await create('d');
    await listener.informer.start();
    await listener.sees('delete a', 'update b', 'add d');
    expect(listener.known()).toEqual(['b=1', 'c', 'd']);
    expect(listener.lists).toBe(1);
    await listener.informer.stop();
  });
});

describe('an informer of a server with a short history', () => {
  beforeEach(() => start({ compactionRetentionMs: 100 }));

  it('lists again when its version is no longer kept', async () => {
    await create('a');
    await create('b');
    const listener = new Listener();
    await listener.informer.start();
    const resourceVersion = (await create('c')).metadata?.resourceVersion;
    await listener.sees('add a', 'add b', 'add c');
    await listener.cutOff();
    await remove('a');
    await change('b', '1');
    await create('d');
    const gone = async (): Promise<boolean> => {
      const query = { namespace, resourceVersion: resourceVersion!, resourceVersionMatch: 'Exact' };
      return core.listNamespacedConfigMap(query).then(
        () => false,
        ({ code }) => code === 410,
      );
    };
    await vi.waitUntil(gone, { interval: 20 });
    await listener.informer.start();
    await listener.sees('delete a', 'update b', 'add d');
    expect(listener.known()).toEqual(['b=1', 'c', 'd']);
    expect(listener.lists).toBe(2);
    await change('d', '2');
    await listener.sees('update d');
    await listener.informer.stop();
  });
});

describe('a client that asks for its list as a stream', () => {
  beforeEach(() => start());

  it('gets the state, the bookmark after it, and then changes', async () => {
    for (const name of ['a', 'b']) await create(name);
    const seen: string[] = [];
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const controller = await new Watch(proxied).watch(
      path,
      query,
      (type, object: V1ConfigMap) => {
        const end = object.metadata?.annotations?.['k8s.io/initial-events-end'];
        seen.push(`${type} ${object.metadata?.name ?? `end=${end}`}`);
      },
      () => {},
    );
    await vi.waitUntil(() => seen.length === 3, { interval: 5 });
    await create('c');
    await vi.waitUntil(() => seen.length === 4, { interval: 5 });
    expect(seen).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK end=true', 'ADDED c']);
    controller.abort();
  });
});
