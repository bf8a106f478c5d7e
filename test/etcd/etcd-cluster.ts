import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { EtcdProgram } from '../../scripts/test-clients/etcd.ts';
import { freePorts } from '../free-ports.ts';
import { PeerLinks } from './peer-links.ts';

/**
 * Starts etcd and prints its process ID. Kills it when the standard input ends, which also happens when the tests are
 * killed.
 */
const guard = '"$0" "$@" 3<&- </dev/null & echo $!; read -r line <&3; kill -9 $! 2>/dev/null; wait';
const startMs = 120_000;

export interface EtcdClusterOptions {
  readonly program: EtcdProgram;
  /** 1 by default. */
  readonly members?: number;
  /** Files for TLS. They are also used for client connections, whose certificates are then verified. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Additional flags of etcd. */
  readonly flags?: readonly string[];
  /** The directory for the data. By default it is in memory. */
  readonly parentDirectory?: string;
}

/** The members of an etcd cluster as processes, with data in a temporary directory. */
export class EtcdCluster {
  readonly members: readonly EtcdMember[];
  readonly #directory: string;
  readonly #links: PeerLinks;

  private constructor(members: readonly EtcdMember[], directory: string, links: PeerLinks) {
    this.members = members;
    this.#directory = directory;
    this.#links = links;
  }

  /** Resolves when all members respond. */
  static async start(options: EtcdClusterOptions): Promise<EtcdCluster> {
    const { program, members: count = 1, tls, flags = [] } = options;
    // The data is in memory, because old versions always wait for the disk. Most tests are not about durability.
    const parent = options.parentDirectory ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
    const directory = await mkdtemp(join(parent, 'keelson-etcd-'));
    const ports = await freePorts(count * 2);
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    const peers = names.map((_, index) => `http://127.0.0.1:${ports[count + index]}`);
    const links = await PeerLinks.start(count);
    links.connectTo(peers);
    const scheme = tls ? 'https' : 'http';
    const members = names.map((name, index) => {
      const endpoint = `${scheme}://127.0.0.1:${ports[index]}`;
      const args = {
        name,
        'data-dir': join(directory, name),
        'listen-client-urls': endpoint,
        'advertise-client-urls': endpoint,
        'listen-peer-urls': peers[index],
        'initial-advertise-peer-urls': links.endpoints[index],
        'initial-cluster': names.map((other, at) => `${other}=${links.endpoints[at]}`).join(','),
        'log-level': 'error',
        ...(tls && { 'cert-file': tls.cert, 'key-file': tls.key, 'trusted-ca-file': tls.ca, 'client-cert-auth': true }),
      };
      const all = [...Object.entries(args).map(([flag, value]) => `--${flag}=${value}`), ...flags];
      return new EtcdMember({ program, endpoint, directory: args['data-dir'], args: all });
    });
    const cluster = new EtcdCluster(members, directory, links);
    try {
      await Promise.all(members.map((member) => member.start()));
      await Promise.all(members.map((member) => member.listening()));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get endpoints(): string[] {
    return this.members.map(({ endpoint }) => endpoint);
  }

  /** Disconnects a member from the other members until `heal` is called. Clients can still reach it. */
  async isolate(member: EtcdMember): Promise<void> {
    const { header } = await member.status();
    this.#links.isolate(this.members.indexOf(member), header.member_id);
  }

  heal(): void {
    this.#links.heal();
  }

  /** Kills all members and removes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    this.#links.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

export interface EtcdMemberOptions {
  readonly program: EtcdProgram;
  readonly endpoint: string;
  readonly directory: string;
  readonly args: readonly string[];
}

export interface EtcdMemberStatus {
  readonly header: { readonly member_id: string };
  /** The ID of a member. */
  readonly leader?: string;
}

/** One member of an etcd cluster. */
export class EtcdMember {
  readonly endpoint: string;
  readonly #program: EtcdProgram;
  readonly #directory: string;
  readonly #args: readonly string[];
  #guard: ChildProcess | undefined;
  #pid = 0;
  #output = '';

  constructor({ program, endpoint, directory, args }: EtcdMemberOptions) {
    this.#program = program;
    this.endpoint = endpoint;
    this.#directory = directory;
    this.#args = args;
  }

  /** Starts the process, also after it was killed. */
  async start(): Promise<void> {
    const started = spawn('sh', ['-c', `exec 3<&0; ${guard}`, this.#program.path, ...this.#args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Without this variable, Debian's old version does not run on every architecture.
      env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch === 'x64' ? 'amd64' : process.arch },
    });
    this.#guard = started;
    started.stderr.on('data', (data: Buffer) => {
      this.#output = `${this.#output}${data}`.slice(-10_000);
    });
    const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
    this.#pid = Number(line);
  }

  /** Resolves when the member accepts connections. */
  async listening(): Promise<void> {
    const { hostname, port } = new URL(this.endpoint);
    const deadline = performance.now() + startMs;
    while (!(await accepts(Number(port), hostname))) {
      if (performance.now() > deadline || !this.running) throw new Error(`etcd does not start: ${this.#output}`);
      await delay(20);
    }
  }

  /** Returns the status that the member reports. Rejects when it does not respond. */
  async status(): Promise<EtcdMemberStatus> {
    const url = new URL('/v3/maintenance/status', this.endpoint);
    const response = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(1000) });
    return (await response.json()) as EtcdMemberStatus;
  }

  get running(): boolean {
    try {
      return this.#pid > 0 && process.kill(this.#pid, 0);
    } catch {
      return false;
    }
  }

  /** Kills the process. Resolves when it has exited. */
  async kill(): Promise<void> {
    const running = this.#guard;
    if (running === undefined) return;
    this.#guard = undefined;
    const ended = once(running, 'exit');
    running.stdin?.end();
    await ended;
    while (this.running) await delay(5);
  }

  /** Removes the data of a killed member. It then starts like a new one. */
  async forget(): Promise<void> {
    await rm(this.#directory, { recursive: true });
  }

  /**
   * Stops the process without ending it, so that its connections are open and silent. Resolves when all its threads
   * have stopped.
   */
  async pause(): Promise<void> {
    process.kill(this.#pid, 'SIGSTOP');
    const tasks = `/proc/${this.#pid}/task`;
    const states = async (): Promise<string[]> => {
      const files = (await readdir(tasks)).map((task) => readFile(`${tasks}/${task}/stat`, 'utf8'));
      return (await Promise.all(files)).map((text) => text.slice(text.lastIndexOf(')') + 2)[0]!);
    };
    while (!(await states()).every((state) => state === 'T')) await delay(1);
  }

  resume(): void {
    process.kill(this.#pid, 'SIGCONT');
  }
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
