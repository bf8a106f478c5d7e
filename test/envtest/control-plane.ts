import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-ports.ts';
import { TestApi } from '../wire/api.ts';
import { createAuthority, issueClient, issueServer, type KeyPair } from '../wire/certificates.ts';

const run = promisify(execFile);

const helps = new Map<string, Promise<{ stdout: string; stderr: string }>>();

/**
 * Whether a program has a flag, as envtest determines it (process.CheckFlag). Each program prints its help only once.
 */
export async function hasFlag(program: string, flag: string): Promise<boolean> {
  const help = helps.get(program) ?? run(program, ['--help']);
  helps.set(program, help);
  const { stdout, stderr } = await help;
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test(stdout + stderr);
}

/** A process that is started and stopped as envtest does it (process.State). */
class EnvtestProcess {
  readonly exited: Promise<number | NodeJS.Signals | null>;
  output = '';
  readonly #child: ChildProcess;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.exited = new Promise((resolve) => this.#child.on('close', (code, signal) => resolve(code ?? signal)));
  }

  /** Polls the URL every 100 ms until the status is 200. Fails when the process exits first. */
  async healthy(url: string): Promise<void> {
    let hasEnded = false;
    void this.exited.then(() => {
      hasEnded = true;
    });
    while (!(await isOk(url))) {
      if (hasEnded) throw new Error(`ended before it was healthy: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | NodeJS.Signals | null> {
    this.#child.kill('SIGTERM');
    return this.exited;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Sends a request without credentials. The certificate is not verified. */
function isOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = url.startsWith('https:')
      ? httpsGet(url, { rejectUnauthorized: false, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        })
      : httpGet(url, { agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        });
    sent.on('error', () => resolve(false));
  });
}

export interface ControlPlaneOptions {
  /** The folder in KUBEBUILDER_ASSETS. */
  readonly assets: string;
  /** Flags in addition to those of envtest. */
  readonly flags?: readonly string[];
  /** The URL of a running etcd, as in an environment that sets `ControlPlane.Etcd`. */
  readonly etcdUrl?: string;
}

/** Makes the same calls as the control plane of envtest (controlplane.ControlPlane). */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
  readonly #folders: string[] = [];
  #authority: KeyPair | undefined;
  #serverAuthority: KeyPair | undefined;
  #etcdUrl = '';
  #certDir = '';
  #port = 0;
  #restarts = 0;
  etcd!: EnvtestProcess;
  apiServer!: EnvtestProcess;

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#options.etcdUrl === undefined) await this.startEtcd();
    else this.#etcdUrl = this.#options.etcdUrl;
    await this.startApiServer();
  }

  async startEtcd(): Promise<void> {
    const program = join(this.#options.assets, 'etcd');
    const dataDir = await this.#folder();
    this.#etcdUrl = `http://127.0.0.1:${await freePort()}`;
    const args = [
      `--advertise-client-urls=${this.#etcdUrl}`,
      `--data-dir=${dataDir}`,
      `--listen-client-urls=${this.#etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
      ...((await hasFlag(program, 'unsafe-no-fsync')) ? ['--unsafe-no-fsync=true'] : []),
    ];
    this.etcd = new EnvtestProcess(program, args);
    await this.etcd.healthy(`${this.#etcdUrl}/health`);
  }

  async startApiServer(): Promise<void> {
    const program = join(this.#options.assets, 'kube-apiserver');
    if (this.#certDir === '') await this.#makeCertificates();
    this.#port = await freePort();
    this.#restarts++;
    const certDir = this.#certDir;
    const args = [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${certDir}`,
      `--client-ca-file=${join(certDir, 'client-cert-auth-ca.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=${this.#etcdUrl}`,
      // Older versions of envtest set this flag if the help mentions it.
      ...((await hasFlag(program, 'insecure-port')) ? ['--insecure-port=0'] : []),
      `--secure-port=${this.#port}`,
      `--service-account-issuer=https://127.0.0.1:${this.#port}/`,
      `--service-account-key-file=${join(certDir, 'sa-signer.crt')}`,
      `--service-account-signing-key-file=${join(certDir, 'sa-signer.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      ...(this.#options.flags ?? []),
    ];
    this.apiServer = new EnvtestProcess(program, args);
    // Different versions of envtest use different health endpoints.
    await this.apiServer.healthy(`${this.url}/healthz`);
    await this.apiServer.healthy(`${this.url}/readyz`);
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get starts(): number {
    return this.#restarts;
  }

  /** Returns a kubeconfig for a new user with a certificate (Authn.AddUser). */
  async kubeconfig(user: string, groups: readonly string[]): Promise<string> {
    const { cert, key } = await issueClient(this.#authority!, user, groups);
    const data = (pem: string): string => Buffer.from(pem).toString('base64');
    return [
      'apiVersion: v1',
      'kind: Config',
      `clusters: [{name: envtest, cluster: {server: "${this.url}", certificate-authority-data: ${data(this.#serverAuthority!.cert)}}}]`,
      `users: [{name: ${user}, user: {client-certificate-data: ${data(cert)}, client-key-data: ${data(key)}}}]`,
      `contexts: [{name: envtest, context: {cluster: envtest, user: ${user}}}]`,
      'current-context: envtest',
    ].join('\n');
  }

  async api(): Promise<TestApi> {
    const kubeconfig = await this.kubeconfig('default', ['system:masters']);
    return new TestApi({ url: this.url, kubeconfig, stop: async () => {} });
  }

  /** Stops the API server and then etcd. Resolves with their exit codes. */
  async stop(): Promise<(number | NodeJS.Signals | null)[]> {
    return [await this.apiServer.stop(), await this.etcd.stop()];
  }

  async remove(): Promise<void> {
    this.apiServer?.kill();
    this.etcd?.kill();
    await Promise.all([this.apiServer?.exited, this.etcd?.exited]);
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  async #makeCertificates(): Promise<void> {
    this.#certDir = await this.#folder();
    this.#serverAuthority = await createAuthority('envtest-environment');
    this.#authority = await createAuthority('envtest-environment');
    const serving = await issueServer(this.#serverAuthority, '127.0.0.1');
    const signer = await createAuthority('envtest-environment');
    for (const [name, text] of Object.entries({
      'apiserver.crt': serving.cert,
      'apiserver.key': serving.key,
      // The file contains a certificate, not a public key.
      'sa-signer.crt': signer.cert,
      'sa-signer.key': signer.key,
      'client-cert-auth-ca.crt': this.#authority.cert,
    })) {
      await writeFile(join(this.#certDir, name), text, { mode: name.startsWith('client') ? 0o600 : 0o640 });
    }
  }

  async #folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'k8s_test_framework_'));
    this.#folders.push(folder);
    return folder;
  }
}
