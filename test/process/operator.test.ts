import { readFile } from 'node:fs/promises';
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../free-ports.ts';
import { define, definitionOf, pathOf } from '../wire/custom-types.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

interface Fleet extends KubernetesObject {
  spec: { replicas: number };
  status?: { replicas?: number };
}

const finalizer = 'example.com/fleet';
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};
const definition = definitionOf({ singular: 'fleet', versions: [{ name: 'v1', subresources }] });
const fleets = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'fleets' };
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

/** Keeps as many config maps as a fleet has replicas, and writes their number to the status. */
class Operator {
  /** The names of the fleets that it has finalized. */
  readonly finalized: string[] = [];
  readonly #custom: CustomObjectsApi;
  readonly #core: CoreV1Api;
  readonly #informer;
  #isStopped = false;

  constructor(config: KubeConfig) {
    this.#custom = config.makeApiClient(CustomObjectsApi);
    this.#core = config.makeApiClient(CoreV1Api);
    this.#informer = makeInformer<Fleet>(config, pathOf(definition), () => {
      return this.#custom.listNamespacedCustomObject(fleets) as Promise<{ items: Fleet[] } & object>;
    });
    const changed = (fleet: Fleet): void => void this.#keepTrying(fleet.metadata?.name ?? '');
    this.#informer.on('add', changed);
    this.#informer.on('update', changed);
    this.#informer.on('error', () => void this.start());
  }

  /** Retries while the server is not available. */
  async start(): Promise<void> {
    const started = async (): Promise<boolean> => {
      if (this.#isStopped) return true;
      return this.#informer.start().then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(started);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#informer.stop();
  }

  async #keepTrying(name: string): Promise<void> {
    const reconciled = async (): Promise<boolean> => {
      if (this.#isStopped) return true;
      return this.#reconcile(name).then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(reconciled);
  }

  async #reconcile(name: string): Promise<void> {
    const fleet = this.#informer.get(name, 'default');
    if (fleet === undefined) return;
    const { uid = '', finalizers = [], deletionTimestamp } = fleet.metadata ?? {};
    if (deletionTimestamp !== undefined) return this.#finalize(name, finalizers);
    if (!finalizers.includes(finalizer)) {
      await this.#patch(name, { metadata: { finalizers: [...finalizers, finalizer] } });
      return;
    }
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Fleet', name, uid, controller: true }];
    const labels = { fleet: name };
    const { items } = await this.#core.listNamespacedConfigMap({
      namespace: 'default',
      labelSelector: `fleet=${name}`,
    });
    const present = new Set(items.map(({ metadata }) => metadata?.name ?? ''));
    const wanted = Array.from({ length: fleet.spec.replicas }, (_, index) => `${name}-${index}`);
    for (const each of wanted) {
      if (present.has(each)) continue;
      const body = { metadata: { name: each, labels, ownerReferences } };
      await this.#core.createNamespacedConfigMap({ namespace: 'default', body });
    }
    for (const each of present) {
      if (!wanted.includes(each)) await this.#core.deleteNamespacedConfigMap({ namespace: 'default', name: each });
    }
    if (fleet.status?.replicas === wanted.length) return;
    const body = { status: { replicas: wanted.length } };
    await this.#custom.patchNamespacedCustomObjectStatus({ ...fleets, name, body }, merge);
  }

  async #finalize(name: string, finalizers: readonly string[]): Promise<void> {
    if (!finalizers.includes(finalizer)) return;
    await this.#patch(name, { metadata: { finalizers: finalizers.filter((each) => each !== finalizer) } });
    this.finalized.push(name);
  }

  async #patch(name: string, body: object): Promise<void> {
    await this.#custom.patchNamespacedCustomObject({ ...fleets, name, body }, merge);
  }
}

it('an operator does its work, also when the server is killed', async () => {
  const dataDir = await temporaryDirectory();
  const port = await freePort();
  const serve = (...flags: string[]): ServeProcess =>
    ServeProcess.start(`--data-dir=${dataDir}`, `--secure-port=${port}`, ...flags);
  // The first server needs no controllers. The garbage collector is needed only at the end.
  const server = serve('--controllers=');
  const api = await server.api();
  await define(api, definition);
  const config = new KubeConfig();
  config.loadFromString(await readFile((await server.ready()).kubeconfig, 'utf8'));
  const operator = new Operator(config);
  await operator.start();
  onTestFinished(() => operator.stop());
  const custom = config.makeApiClient(CustomObjectsApi);
  const create = (name: string, replicas: number) =>
    custom.createNamespacedCustomObject({
      ...fleets,
      body: { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name }, spec: { replicas } },
    });
  const ships =
    (from = api) =>
    async (): Promise<string[]> => {
      const { items } = (await from.get('/api/v1/namespaces/default/configmaps?labelSelector=fleet')).body;
      return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
  await create('red', 2);
  await create('blue', 1);
  await expect.poll(ships()).toEqual(['blue-0', 'red-0', 'red-1']);
  const replicas =
    (from = api) =>
    async () =>
      (await from.get(`${pathOf(definition)}/red/scale`)).body.status?.replicas;
  await expect.poll(replicas()).toBe(2);

  // The scale is written just before the kill, so the operator receives the change from the next server.
  expect((await api.patch(`${pathOf(definition)}/red/scale`, { spec: { replicas: 4 } })).status).toBe(200);
  server.kill('SIGKILL');
  await server.exited;
  const again = await serve().api();
  await expect.poll(ships(again)).toEqual(['blue-0', 'red-0', 'red-1', 'red-2', 'red-3']);
  await expect.poll(replicas(again)).toBe(4);
  await again.patch(`${pathOf(definition)}/red/scale`, { spec: { replicas: 1 } });
  await expect.poll(ships(again)).toEqual(['blue-0', 'red-0']);

  // The operator removes its finalizer, and the garbage collector deletes the ships.
  await again.delete(`${pathOf(definition)}/red`);
  await expect.poll(ships(again)).toEqual(['blue-0']);
  expect(operator.finalized).toContain('red');
  await again.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`);
  await expect.poll(ships(again)).toEqual([]);
  expect(operator.finalized).toContain('blue');
  await operator.stop();
});
