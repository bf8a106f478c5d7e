import { relative } from 'node:path';
import { type Server, startServer } from '../server/index.ts';
import { parseFlags, UsageError } from './flags.ts';
import { jsonLogger } from './json-logger.ts';
import { serveFlags } from './serve-flags.ts';
import { surviveFaults } from './survive-faults.ts';

/** Runs a server until it is told to stop. Resolves with the exit code. */
export async function serve(args: readonly string[]): Promise<number> {
  const { output, logLevel, ...options } = parseFlags(serveFlags, args);
  const log = jsonLogger(logLevel ?? 'info');
  let server: Server;
  try {
    server = await startServer({ ...options, log });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  // Since the process began, so that the time to load the program counts.
  const startupMs = Math.round(performance.now());
  surviveFaults(log);
  // Before anybody can know that there is somebody to stop.
  const signalled = stopSignal();
  process.stdout.write(output === 'json' ? jsonLine(server, startupMs) : welcome(server, startupMs));
  const signal = await signalled;
  log.info('stopping', { signal });
  await server.stop();
  return 0;
}

function jsonLine({ version, url, kubeconfigFile, dataDir }: Server, startupMs: number): string {
  return `${JSON.stringify({ version, url, kubeconfig: kubeconfigFile, dataDir, startupMs })}\n`;
}

function welcome({ version, url, kubeconfigFile, dataDir }: Server, startupMs: number): string {
  const path = relative(process.cwd(), kubeconfigFile!) || kubeconfigFile!;
  return `
Keelson ${version} is ready after ${startupMs} ms.

  API         ${url}
  data        ${dataDir}
  kubeconfig  ${kubeconfigFile}

Try it:

  kubectl --kubeconfig ${path} get namespaces

Ctrl-C stops the server.
`;
}

/** The first SIGTERM or SIGINT. A second one does not wait for the drain. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}
