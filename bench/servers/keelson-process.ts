import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { load } from 'js-yaml';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import type { Target } from '../load/load-plan.ts';
import type { Server } from './server.ts';

/** The line that `keelson serve --output=json` prints when it is ready. Other fields are not used here. */
interface ReadyLine {
  readonly url: string;
  readonly kubeconfig: string;
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

const keptLogBytes = 4_000;
const startLimitMs = 30_000;

export interface KeelsonOptions {
  readonly flags?: readonly string[];
  /** Measures for how long the event loop is blocked at a time. */
  readonly watchLoop?: boolean;
}

export interface KeelsonServer extends Server {
  /** Returns the longest time for which the event loop was blocked since the last call, in ms. Requires `watchLoop`. */
  longestPauseMs(): Promise<number>;
}

const loopWatch = path.join(repositoryRoot, 'test/responsiveness/loop-watch.ts');

/** Starts the server under test as a user would, on the given data directory. */
export async function startKeelson(
  bench: Bench,
  dataDirectory: string,
  { flags = [], watchLoop = false }: KeelsonOptions = {},
): Promise<KeelsonServer> {
  const { serverCommand, storage } = bench.options;
  const [command, ...args] = serverCommand;
  args.push('--secure-port=0', '--output=json', `--data-dir=${dataDirectory}`);
  // Disables the controller that adds a config map to every namespace, because objects are counted.
  args.push('--controllers=*,-root-ca-certificate-publisher-controller');
  if (storage) args.push(`--storage=${storage}`);
  // Rates are those of one thread, unless threads are measured.
  if (!flags.some((flag) => flag.startsWith('--threads='))) args.push('--threads=1');
  args.push(...flags);

  const startedAt = performance.now();
  const child = spawn(command!, args, {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe', ...(watchLoop ? (['ipc'] as const) : [])],
    env: { ...process.env, ...(watchLoop && { NODE_OPTIONS: `--import=${loopWatch}` }) },
  });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGTERM'));
  let log = '';
  child.stderr!.on('data', (text) => {
    log = (log + text).slice(-keptLogBytes);
  });
  const line = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => fail(`not ready after ${startLimitMs / 1000} s`), startLimitMs);
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`${[command, ...args].join(' ')}: ${why}\n${log}`));
    };
    createInterface(child.stdout!).once('line', (text) => {
      clearTimeout(timer);
      resolve(text);
    });
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code} instead of being ready`));
  });
  const startMs = performance.now() - startedAt;
  const target = await readTarget(JSON.parse(line) as ReadyLine);
  const longestPauseMs = async (): Promise<number> => {
    const received = once(child, 'message');
    child.send('');
    const [ms] = (await received) as [number];
    return ms;
  };
  return { pid: child.pid!, startMs, target: () => target, stop, longestPauseMs };
}

/** Reads the server address, the trusted CA and the client certificate from the admin kubeconfig. */
async function readTarget({ url, kubeconfig }: ReadyLine): Promise<Target> {
  return targetOf(url, await readFile(path.resolve(repositoryRoot, kubeconfig), 'utf8'));
}

/** Like `readTarget`, from the text of the kubeconfig. */
export function targetOf(url: string, kubeconfig: string): Target {
  const { clusters, users } = load(kubeconfig) as Kubeconfig;
  const decode = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();
  const { hostname, port } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    ca: decode(clusters[0].cluster['certificate-authority-data']),
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  };
}
