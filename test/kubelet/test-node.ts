import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from '../wire/api.ts';
import { ContainerSet, type ContainerSpec } from './container.ts';
import { createKubeletTrust } from './kubelet-certificates.ts';
import { KubeletServer } from './kubelet-server.ts';
import { NodeAgent } from './node-agent.ts';

/** An API server with one node, `n1`, whose kubelet runs in the same process. */
export class TestNode {
  readonly api: TestApi;
  readonly kubelet: KubeletServer;
  readonly containers: ContainerSet;
  readonly #stop: () => Promise<void>;

  private constructor(fields: Pick<TestNode, 'api' | 'kubelet' | 'containers'>, stop: () => Promise<void>) {
    this.api = fields.api;
    this.kubelet = fields.kubelet;
    this.containers = fields.containers;
    this.#stop = stop;
  }

  static async start(options: ServerOptions = {}): Promise<TestNode> {
    const trust = await createKubeletTrust();
    const api = await TestApi.start({ ...trust.options, ...options });
    const containers = new ContainerSet();
    const kubelet = await KubeletServer.start(trust.certificates, containers);
    const agent = await NodeAgent.start({ api, nodeName: 'n1', port: kubelet.port, containers });
    return new TestNode({ api, kubelet, containers }, async () => {
      agent.stop();
      await kubelet.stop();
      await api.stop();
      await trust.remove();
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Creates a pod on the node and returns its path when it is running. */
  async run(name: string, ...containers: Partial<ContainerSpec>[]): Promise<string> {
    await createPod(this.api, name, { nodeName: 'n1' }, containers);
    await untilStarted(this.api, name);
    return `/api/v1/namespaces/default/pods/${name}`;
  }
}

/** Creates a pod, with a container `c` by default. */
export async function createPod(
  api: TestApi,
  name: string,
  spec: object,
  containers: readonly Partial<ContainerSpec>[] = [],
): Promise<void> {
  const all = (containers.length === 0 ? [{}] : containers).map((one) => ({
    name: 'c',
    image: 'registry.example/c',
    ...one,
  }));
  const body = { metadata: { name }, spec: { containers: all, ...spec } };
  const { status, text } = await api.post('/api/v1/namespaces/default/pods', body);
  if (status !== 200) throw new Error(text);
}

/** Resolves when a pod is running or has ended. */
export async function untilStarted(api: TestApi, name: string): Promise<void> {
  const watch = await api.watch(`/api/v1/namespaces/default/pods?watch=1&fieldSelector=metadata.name=${name}`);
  for (let event = await watch.next(); event?.object.status?.phase === 'Pending'; ) event = await watch.next();
  watch.close();
}
