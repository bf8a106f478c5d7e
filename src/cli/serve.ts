import { createRequire, flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import type { Logger as Pino } from 'pino';
import { deferRootCertificates } from '../client/index.ts';
import { type Logger, type Server, startServer } from '../server/index.ts';
import { parseCommandLine } from './command-line.ts';
import { UsageError } from './flags.ts';
import { type HeapGrowth, limitHeapGrowth } from './heap-growth.ts';
import { logUncaughtErrors } from './log-uncaught-errors.ts';
import { writeCompiledCode } from './program-scripts.ts';
import { serveFlags } from './serve-flags.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * After this time, the work that follows a start is done: controllers have read their objects. Two seconds after a start
 * under load, there was also code of requests, a fifth more to read for every later start.
 */
const startedMs = 300;

/**
 * Runs a server until SIGTERM or SIGINT, or until `stopped` resolves with one that was awaited earlier. Resolves with
 * the exit code. Ends the process when the server has lost its store.
 */
export async function serve(args: readonly string[], stopped?: Promise<NodeJS.Signals>): Promise<number> {
  const { values } = await parseCommandLine(serveFlags, args);
  const { config: _, output, logLevel, dataDir, ...options } = values;
  const heapGrowth = limitHeapGrowth();
  deferRootCertificates();
  const { log, load: loadLog } = jsonLogger(logLevel ?? 'info');
  let server: Server;
  try {
    // The certificates and the kubeconfig are files, even if the objects are in memory.
    const directory = dataDir ?? (options.storage === 'memory' ? '.keelson' : undefined);
    const console = options.console ?? 'loopback';
    server = await startServer({ ...options, console, ...(directory !== undefined && { dataDir: directory }), log });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  // Measured from the start of the process, so that loading the program counts.
  const startupMs = Math.round(performance.now());
  heapGrowth.started();
  logUncaughtErrors(log);
  const keepCompiledCode = compiledCodeKeeper(heapGrowth);
  // Installed before the output, because a supervisor may send a signal as soon as it reads it.
  const signalled = stopped ?? stopSignal();
  process.stdout.write(output === 'json' ? jsonLine(server, startupMs) : startupMessage(server, startupMs));
  // Later, there may be no file descriptor left to load it with.
  setImmediate(loadLog);
  const signal = await Promise.race([signalled, server.failed]);
  if (signal instanceof Error) {
    log.error('the server failed and exits: restart it', { err: signal });
    await log.flush();
    // Nothing can be drained: requests need the store.
    process.exit(1);
  }
  log.info('stopping', { signal });
  await server.stop();
  keepCompiledCode();
  return 0;
}

/**
 * Writes the code that the start has compiled, if there is none of an earlier one. Not only at the end: a server may be
 * killed, or run so long that V8 has dropped the code of the start. The returned function writes it earlier.
 */
function compiledCodeKeeper(heapGrowth: HeapGrowth): () => void {
  const keep = (): void => {
    clearTimeout(timer);
    heapGrowth.withDefaults(() => {
      writeCompiledCode();
      // Of the packages that are not part of the bundle.
      flushCompileCache();
    });
  };
  const timer = setTimeout(keep, startedMs).unref();
  return keep;
}

function jsonLine({ version, url, kubeconfigFile, dataDir, signInLink }: Server, startupMs: number): string {
  const shown = { version, url, kubeconfig: kubeconfigFile, dataDir, console: signInLink?.(), startupMs };
  return `${JSON.stringify(shown)}\n`;
}

function startupMessage({ version, url, kubeconfigFile, dataDir, signInLink }: Server, startupMs: number): string {
  const path = relative(process.cwd(), kubeconfigFile!) || kubeconfigFile!;
  return `
Keelson ${version} is ready after ${startupMs} ms.

  API         ${url}
  data        ${dataDir}
  kubeconfig  ${kubeconfigFile}${signInLink === undefined ? '' : `\n  console     ${signInLink()}`}

Try it:

  kubectl --kubeconfig ${path} get namespaces

Ctrl-C stops the server.
`;
}

/** Logs JSON lines to stderr, because stdout is for the output of the command. */
function jsonLogger(level: string): { readonly log: Logger; readonly load: () => void } {
  let pino: Pino | undefined;
  // Loaded with the first message or after the start, so that a silent server starts faster.
  const loaded = (): Pino => {
    pino ??= makePino(level);
    return pino;
  };
  const log: Logger = {
    ...(level === 'debug' && { debug: (message: string, fields: object = {}) => loaded().debug(fields, message) }),
    info: (message, fields = {}) => loaded().info(fields, message),
    error: (message, fields = {}) => loaded().error(fields, message),
    // A blocked stream delays this empty write, too.
    flush: () => new Promise((resolve) => process.stderr.write('', () => resolve())),
  };
  return { log, load: () => void loaded() };
}

function makePino(level: string): Pino {
  const pino = createRequire(import.meta.url)('pino') as typeof import('pino');
  const destination = pino.destination({ fd: 2, sync: true });
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
