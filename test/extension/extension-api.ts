import { type ExtensionOptions, type ExtensionServer, serveExtension } from '../../src/extension-server/index.ts';
import { TestApi } from '../wire/api.ts';

/** A cluster, an extension server for it, and an administrator's client that uses the extension server directly. */
export interface ExtensionApi {
  readonly cluster: TestApi;
  readonly api: TestApi;
  readonly server: ExtensionServer;
  stop(): Promise<void>;
}

type Start = (cluster: NonNullable<ExtensionOptions['cluster']>) => Promise<ExtensionServer>;

export async function startExtension(
  start: Start,
  options: Parameters<typeof TestApi.start>[0] = {},
): Promise<ExtensionApi> {
  const cluster = await TestApi.start(options);
  try {
    const { server, api } = await extended(cluster, start);
    const stop = async (): Promise<void> => {
      await api.stop();
      await cluster.stop();
    };
    return { cluster, api, server, stop };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function extended(cluster: TestApi, start: Start) {
  const server = await start({ kubeconfig: cluster.server.kubeconfig });
  const kubeconfig = directKubeconfig(cluster, server);
  return { server, api: new TestApi({ url: server.url, kubeconfig, stop: () => server.stop() }) };
}

type Resources = ExtensionOptions['resources'];

const serving =
  (resources: Resources): Start =>
  (cluster) =>
    serveExtension({ group: 'example.com', version: 'v1', resources, cluster });

/** Starts an extension server for the group `example.com/v1`. */
export function startResources(resources: Resources): Promise<ExtensionApi> {
  return startExtension(serving(resources));
}

/**
 * Starts another extension server of a cluster for the same group. The caller must stop it together with its client.
 */
export function extendCluster(cluster: TestApi, resources: Resources) {
  return extended(cluster, serving(resources));
}

/** Returns the administrator's kubeconfig with the address of the extension server. */
export function directKubeconfig({ tls }: TestApi, { url, ca = '' }: Pick<ExtensionServer, 'url' | 'ca'>): string {
  const [cert, key] = [tls.cert, tls.key].map((pem) => pem.toString('base64'));
  return `apiVersion: v1
kind: Config
current-context: extension
contexts: [{ name: extension, context: { cluster: extension, user: admin } }]
clusters:
- name: extension
  cluster:
    server: ${url}
    certificate-authority-data: ${Buffer.from(ca).toString('base64')}
users:
- name: admin
  user:
    client-certificate-data: ${cert}
    client-key-data: ${key}
`;
}
