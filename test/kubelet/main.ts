/** A kubelet as a process. Its only argument is its setup as JSON. It prints its port. */
import { TestApi } from '../wire/api.ts';
import { ContainerSet } from './container.ts';
import type { KubeletSetup } from './kubelet-process.ts';
import { KubeletServer } from './kubelet-server.ts';
import { NodeAgent } from './node-agent.ts';

const { url, kubeconfig, nodeName, certificates } = JSON.parse(process.argv[2]!) as KubeletSetup;
const containers = new ContainerSet();
const server = await KubeletServer.start(certificates, containers);
const api = new TestApi({ url, kubeconfig, stop: () => Promise.resolve() });
await NodeAgent.start({ api, nodeName, port: server.port, containers });
process.on('exit', () => containers.stop());
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
// The process exits when its parent has exited.
process.stdin.resume().on('end', () => process.exit(0));
process.stdout.write(`${server.port}\n`);
