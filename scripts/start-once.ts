import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

interface Started {
  readonly directory: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a server with the command, as a user does, on a free port. Reads an object over HTTPS with the kubeconfig that
 * the server has written, and stops it like Ctrl-C. Throws if any of this fails.
 */
export async function startOnce(command: readonly string[], { directory, env = process.env }: Started): Promise<void> {
  const [program, ...args] = [...command, '--bind-address=127.0.0.1', '--secure-port=0', '--output=json'];
  // In a process group of its own, because Ctrl-C reaches all processes of the terminal.
  const server = spawn(program!, args, { cwd: directory, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(server, 'close');
  try {
    const kubeconfig = await Promise.race([
      kubeconfigOf(createInterface({ input: server.stdout })),
      closed.then(([code]) => Promise.reject(new Error(`${command.join(' ')} ended with ${code} in ${directory}`))),
    ]);
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const namespace = await config.makeApiClient(CoreV1Api).readNamespace({ name: 'default' });
    console.log(`${command.join(' ')}: serves the namespace ${namespace.metadata?.name} over HTTPS`);
  } finally {
    if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, 'SIGINT');
    await closed;
  }
}

/** npm prints lines of its own before the one of the server. */
async function kubeconfigOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    if (line.startsWith('{')) return (JSON.parse(line) as { readonly kubeconfig: string }).kubeconfig;
  }
  throw new Error('the server printed no kubeconfig');
}
