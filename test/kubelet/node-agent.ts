import type { TestApi } from '../wire/api.ts';
import type { Container, ContainerSet, ContainerSpec } from './container.ts';

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly containers: readonly ContainerSpec[];
    readonly ephemeralContainers?: readonly ContainerSpec[];
  };
}

export interface NodeAgentOptions {
  readonly api: TestApi;
  readonly nodeName: string;
  /** The port of the kubelet on 127.0.0.1. */
  readonly port: number;
  readonly containers: ContainerSet;
}

/** Registers a node and runs the pods that are bound to it. */
export class NodeAgent {
  readonly #options: NodeAgentOptions;
  /** The started containers as `namespace/pod/container`. No container is started twice. */
  readonly #started = new Set<string>();
  #stopped = false;
  #close: () => void = () => {};

  private constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Resolves when the node is registered. */
  static async start(options: NodeAgentOptions): Promise<NodeAgent> {
    const agent = new NodeAgent(options);
    const { api, nodeName, port } = options;
    await api.post('/api/v1/nodes', { metadata: { name: nodeName } });
    await api.patch(`/api/v1/nodes/${nodeName}/status`, {
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: port } },
        conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      },
    });
    const watch = await api.watch(`/api/v1/pods?watch=1&fieldSelector=spec.nodeName=${nodeName}`);
    agent.#close = watch.close;
    void (async () => {
      for (let event = await watch.next(); event !== undefined; event = await watch.next()) {
        await agent.#onPod(event.type, event.object as Pod);
      }
    })().catch((error) => {
      if (!agent.#stopped) throw error;
    });
    return agent;
  }

  stop(): void {
    this.#stopped = true;
    this.#close();
    this.#options.containers.stop();
  }

  async #onPod(type: string, pod: Pod): Promise<void> {
    const { containers, api } = this.#options;
    const { namespace, name, deletionTimestamp } = pod.metadata;
    if (type === 'DELETED' || deletionTimestamp !== undefined) {
      containers.stopPod(namespace, name);
      if (type !== 'DELETED') await api.delete(`${pathOf(pod)}?gracePeriodSeconds=0`);
      return;
    }
    const all = [...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])];
    const missing = all.filter((spec) => !this.#started.has(`${namespace}/${name}/${spec.name}`));
    if (missing.length === 0) return;
    for (const spec of missing) {
      this.#started.add(`${namespace}/${name}/${spec.name}`);
      const container = containers.start(namespace, name, spec);
      container.once('exit', () => void this.#report(pod).catch(() => {}));
    }
    await this.#report(pod);
  }

  async #report(pod: Pod): Promise<void> {
    const { containers, api } = this.#options;
    const { namespace, name } = pod.metadata;
    const found = (specs: readonly ContainerSpec[] = []): Container[] =>
      specs.flatMap((spec) => containers.find(namespace, name, spec.name) ?? []);
    const main = found(pod.spec.containers);
    const hasEnded = main.every(({ exitCode }) => exitCode !== undefined);
    const status = {
      phase: hasEnded ? 'Succeeded' : 'Running',
      podIP: '127.0.0.1',
      conditions: [{ type: 'Ready', status: hasEnded ? 'False' : 'True' }],
      containerStatuses: main.map(statusOf),
      ephemeralContainerStatuses: found(pod.spec.ephemeralContainers).map(statusOf),
    };
    if (!this.#stopped) await api.patch(`${pathOf(pod)}/status`, { status });
  }
}

function pathOf({ metadata: { namespace, name } }: Pod): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

function statusOf({ spec, startedAt, exitCode }: Container): object {
  const state =
    exitCode === undefined
      ? { running: { startedAt } }
      : { terminated: { exitCode, startedAt, finishedAt: startedAt, reason: exitCode === 0 ? 'Completed' : 'Error' } };
  return {
    name: spec.name,
    image: spec.image ?? '',
    imageID: '',
    ready: exitCode === undefined,
    restartCount: 0,
    state,
  };
}
