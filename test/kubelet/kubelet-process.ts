import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { KubeletCertificates } from './kubelet-server.ts';

export interface KubeletSetup {
  /** The URL of the API server. */
  readonly url: string;
  readonly kubeconfig: string;
  readonly nodeName: string;
  readonly certificates: KubeletCertificates;
}

/** The test kubelet in another process. */
export class KubeletProcess {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Resolves when the node is registered. */
  static async start(setup: KubeletSetup): Promise<KubeletProcess> {
    const main = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [main, JSON.stringify(setup)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the kubelet has ended with ${code}`);
      }),
    ])) as [Buffer];
    return new KubeletProcess(child, Number(line));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }
}
