import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { ContainerSpec } from '../kubelet/container.ts';
import { createKubeletTrust, type KubeletTrust } from '../kubelet/kubelet-certificates.ts';
import { KubeletProcess } from '../kubelet/kubelet-process.ts';
import { type RunningCommand, runCommand } from '../kubelet/run-command.ts';
import { createPod, untilStarted } from '../kubelet/test-node.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A server, a kubelet in another process, and versions of kubectl that use them. */
export class KubectlNode {
  readonly api: TestApi;
  readonly kubelet: KubeletProcess;
  /** A folder for files of the test. */
  readonly folder: string;
  readonly #trust: KubeletTrust;
  readonly #environment: Record<string, string>;

  private constructor(fields: Pick<KubectlNode, 'api' | 'kubelet' | 'folder'>, trust: KubeletTrust) {
    this.api = fields.api;
    this.kubelet = fields.kubelet;
    this.folder = fields.folder;
    this.#trust = trust;
    this.#environment = { HOME: fields.folder, KUBECONFIG: join(fields.folder, 'data', 'admin.kubeconfig') };
  }

  static async start(): Promise<KubectlNode> {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    const trust = await createKubeletTrust();
    const server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
      ...trust.options,
    });
    const { url, kubeconfig } = server;
    const kubelet = await KubeletProcess.start({ url, kubeconfig, nodeName: 'n1', certificates: trust.certificates });
    return new KubectlNode({ api: new TestApi(server), kubelet, folder }, trust);
  }

  async stop(): Promise<void> {
    await this.kubelet.kill();
    await this.api.stop();
    await this.#trust.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Creates a pod on the node and waits until it is running. */
  async run(name: string, ...containers: Partial<ContainerSpec>[]): Promise<void> {
    await createPod(this.api, name, { nodeName: 'n1' }, containers);
    await untilStarted(this.api, name);
  }

  spawn(kubectl: string, args: readonly string[]): ChildProcessWithoutNullStreams {
    const child = spawn(kubectl, args, { env: { ...process.env, ...this.#environment }, stdio: 'pipe' });
    child.stdin.on('error', () => {});
    return child;
  }

  /** Runs kubectl in a terminal. */
  inTerminal(kubectl: string, args: readonly string[]): RunningCommand {
    const variables = Object.entries(this.#environment).map(([name, value]) => `${name}=${value}`);
    return runCommand(['env', ...variables, kubectl, ...args], { tty: true });
  }

  /** Runs kubectl. Does not throw when it fails. */
  async use(kubectl: string, args: readonly string[], input: string | Buffer = ''): Promise<Finished> {
    const child = this.spawn(kubectl, args);
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  }
}
