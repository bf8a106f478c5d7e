import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Server, ServerOptions } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The credentials of a user in a kubeconfig. */
export type Credentials =
  | { readonly token?: string }
  | { readonly 'client-certificate-data': string; readonly 'client-key-data': string };

interface Rule {
  /** The core group by default. */
  readonly apiGroups?: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface RoleReference {
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
}

const apiGroup = 'rbac.authorization.k8s.io';

/** The only user of the administrator's kubeconfig. */
export const admin = 'admin';

/** The token file of the server, for jane and bob. */
const tokenFile = 'jane-token,jane,7,"dev,ops"\nbob-token,bob,8\n';

/** A server and one version of kubectl that is used by several users. */
export class KubectlUsers {
  readonly server: Server;
  /** A client for requests that are not the subject of a test. */
  readonly api: TestApi;
  readonly #kubectl: string;
  readonly #folder: string;
  readonly #users: Record<string, Credentials> = { jane: { token: 'jane-token' }, bob: { token: 'bob-token' } };

  private constructor(kubectl: string, server: Server, folder: string) {
    this.#kubectl = kubectl;
    this.server = server;
    this.api = new TestApi(server);
    this.#folder = folder;
    this.#writeKubeconfig();
  }

  static async start(kubectl: string, options: ServerOptions = {}): Promise<KubectlUsers> {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, tokenFile);
    const server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      tokenAuthFile,
      ...options,
    });
    return new KubectlUsers(kubectl, server, folder);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async isOld(): Promise<boolean> {
    return (await this.out(admin, 'version --client')).includes('1.20');
  }

  /** Adds a user with these credentials to the kubeconfig. */
  addUser(name: string, credentials: Credentials): void {
    this.#users[name] = credentials;
    this.#writeKubeconfig();
  }

  /**
   * Grants permissions to a user with a role and a binding whose name is the plural. The role is `namespace/role` for
   * one namespace, or `role` for all.
   */
  async grant(user: string, role: string, rule: Rule): Promise<void> {
    const [name = '', namespace] = role.split('/').reverse();
    const kind = namespace === undefined ? 'ClusterRole' : 'Role';
    await this.#create(kind, namespace, { metadata: { name }, rules: [{ apiGroups: [''], ...rule }] });
    await this.bind(user, { kind, name }, namespace);
  }

  /** Binds a user to a role, in one namespace or in all. */
  async bind(user: string, role: RoleReference, namespace?: string): Promise<void> {
    const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
    await this.#create(kind, namespace, {
      metadata: { name: `${role.name}s` },
      roleRef: { apiGroup, ...role },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  }

  async #create(kind: string, namespace: string | undefined, object: object): Promise<void> {
    const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
    const { status, text } = await this.api.post(`/apis/${apiGroup}/v1${scope}/${kind.toLowerCase()}s`, object);
    if (status !== 200) throw new Error(text);
  }

  /** Writes the objects to a file and returns its path. */
  file(name: string, ...objects: readonly object[]): string {
    const path = join(this.#folder, `${name}.json`);
    const [first] = objects;
    writeFileSync(
      path,
      JSON.stringify(objects.length === 1 ? first : { apiVersion: 'v1', kind: 'List', items: objects }),
    );
    return path;
  }

  /** Runs kubectl as the user. Does not throw when it fails. */
  async use(user: string, args: string): Promise<Finished> {
    const whose = user === admin ? [] : [`--context=${user}`];
    const child = spawn(this.#kubectl, [...whose, ...args.split(' ')], {
      env: {
        ...process.env,
        HOME: this.#folder,
        KUBECONFIG: user === admin ? this.server.kubeconfigFile : this.#kubeconfigFile,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
    return { code, stdout, stderr };
  }

  /** Runs kubectl as the user and returns its standard output. Throws when it fails. */
  async out(user: string, args: string): Promise<string> {
    const { code, stdout, stderr } = await this.use(user, args);
    if (code !== 0) throw new Error(`kubectl ${args} of ${user} ends with ${code}: ${stderr}`);
    return stdout;
  }

  /** Runs several commands at the same time. All of them must succeed. */
  async outAll(user: string, ...commands: readonly string[]): Promise<void> {
    await Promise.all(commands.map((args) => this.out(user, args)));
  }

  /** Runs kubectl as the user and returns its standard error. Throws when it succeeds. */
  async refusal(user: string, args: string): Promise<string> {
    const { code, stdout, stderr } = await this.use(user, args);
    if (code !== 1) throw new Error(`kubectl ${args} of ${user} ends with ${code}: ${stdout}${stderr}`);
    return stderr.trimEnd();
  }

  /** Returns the identity that the server assigns to the user. Old versions of kubectl have no command for this. */
  async identity(user: string, args = ''): Promise<{ username: string; uid?: string; groups: string[] }> {
    const review = this.file('identity', { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const response = await this.out(user, `create --raw ${path} -f ${review}${args}`);
    return JSON.parse(response).status.userInfo;
  }

  get #kubeconfigFile(): string {
    return join(this.#folder, 'users.kubeconfig');
  }

  #writeKubeconfig(): void {
    const ca = /certificate-authority-data: "?([\w+/=]+)/.exec(this.server.kubeconfig)![1]!;
    const cluster = { server: this.server.url, 'certificate-authority-data': ca };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'keelson', cluster }],
      users: Object.entries(this.#users).map(([name, user]) => ({ name, user })),
      contexts: Object.keys(this.#users).map((user) => ({ name: user, context: { cluster: 'keelson', user } })),
    };
    writeFileSync(this.#kubeconfigFile, JSON.stringify(kubeconfig), { mode: 0o600 });
  }
}

/** Returns the lines of a table, with single spaces between the columns. */
export function tableRows(table: string): string[] {
  const lines = table.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  return lines.filter((line) => line !== '');
}
