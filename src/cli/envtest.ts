import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  apiServerFlags,
  apiServerFlagsHelp,
  dataDirOf,
  etcdHelp,
  makeAssets,
  parseEtcdFlags,
  startEtcdStandIn,
} from '../envtest/index.ts';
import { envtestFlags } from './envtest-flags.ts';
import { type Flag, flagsHelp, parseFlags, UsageError } from './flags.ts';
import { serve } from './serve.ts';
import { serveFlags } from './serve-flags.ts';
import { stopSignal } from './stop-signal.ts';

/** `keelson envtest path`, and the programs that the folder runs. Resolves with the exit code. */
export async function envtest([command, ...args]: readonly string[]): Promise<number> {
  try {
    if (command === 'kube-apiserver') return await apiServer(args);
    if (command === 'etcd') return await etcd(args);
    if (command === 'path') return await printPath(args);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  throw new UsageError(`use "keelson envtest path"${command === undefined ? '' : `, not ${command}`}`);
}

async function printPath(args: readonly string[]): Promise<number> {
  if (process.platform === 'win32') throw new RangeError('envtest cannot be used on Windows: its programs are scripts');
  const { dir } = parseFlags(envtestFlags, args);
  const folder = dir ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'keelson', 'envtest');
  process.stdout.write(`${await makeAssets({ folder, node: process.execPath, script: process.argv[1]! })}\n`);
  return 0;
}

async function etcd(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(etcdHelp);
    return 0;
  }
  const standIn = await startEtcdStandIn(parseEtcdFlags(args));
  await stopSignal();
  await standIn.stop();
  return 0;
}

async function apiServer(args: readonly string[]): Promise<number> {
  const flags = Object.values(serveFlags) as Flag<unknown>[];
  if (args.includes('--help') || args.includes('-h')) {
    const own = flags.filter(({ name }) => name !== 'etcd-servers' && name !== 'data-dir');
    process.stdout.write(`Keelson as a drop-in for kube-apiserver.\n${apiServerFlagsHelp}${flagsHelp(own)}\n`);
    return 0;
  }
  const { serveArgs, certDir, etcdServers } = apiServerFlags(args, flags);
  if (etcdServers === undefined) throw new RangeError('--etcd-servers is required');
  const standIn = await dataDirOf(etcdServers);
  const directory = standIn ?? join(certDir ?? '.', 'keelson');
  const store = standIn === undefined ? ['--storage=etcd', `--etcd-servers=${etcdServers}`] : [];
  const allArgs = [
    ...likeApiServer,
    `--data-dir=${directory}`,
    ...store,
    ...servingCertificate(certDir, serveArgs),
    ...serveArgs,
  ];
  // envtest may stop the server as soon as it is ready, before the command line has handled that.
  return serve(allArgs, stopSignal());
}

/**
 * The defaults of kube-apiserver that differ from those of the server. Arguments of the caller follow and take
 * precedence.
 */
const likeApiServer = ['--controllers=', '--compatibility=kubernetes', '--output=json'];

/** kube-apiserver uses the certificate in this folder if it exists, and otherwise creates one. */
function servingCertificate(certDir: string | undefined, serveArgs: readonly string[]): string[] {
  if (certDir === undefined || serveArgs.some((arg) => arg.startsWith('--tls-cert-file='))) return [];
  const [cert, key] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  return existsSync(cert) && existsSync(key) ? [`--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`] : [];
}
