import { replay, startRecorder } from '../recording/index.ts';
import { checkNewFile } from '../server/files/check-new-file.ts';
import { parseCommandLine } from './command-line.ts';
import { UsageError } from './flags.ts';
import { recordFlags, replayFlags } from './record-flags.ts';
import { stopSignal } from './stop-signal.ts';

const differing = 3;

/** Records until SIGTERM or SIGINT. Resolves with the exit code. */
export async function record(args: readonly string[]): Promise<number> {
  const { upstream, file, kubeconfig, bindAddress, port } = (await parseCommandLine(recordFlags, args)).values;
  if (upstream === undefined || file === undefined) throw new UsageError('--upstream and --file are required');
  checkNewFile('--file', file);
  checkNewFile('--kubeconfig', kubeconfig!);
  const onError = (error: Error, request: string): void => {
    process.stderr.write(`keelson: ${request}: ${error.message}\n`);
  };
  const recorder = await usable(() =>
    startRecorder({ upstream, file, kubeconfig: kubeconfig!, bindAddress: bindAddress!, port: port!, onError }),
  );
  const signalled = stopSignal();
  process.stdout.write(`Recording to ${file}. Clients use --kubeconfig ${kubeconfig} (${recorder.url}).\n`);
  await signalled;
  await recorder.stop();
  return 0;
}

/** Replays a recording against a server. Resolves with the exit code. */
export async function replayRecording(args: readonly string[]): Promise<number> {
  const { values, operands } = await parseCommandLine(replayFlags, args, { maxOperands: 1 });
  const [file] = operands;
  if (file === undefined) throw new UsageError('replay needs the FILE of a recording');
  const { kubeconfig, ignored = [], timeoutMs = 0 } = values;
  if (kubeconfig === undefined) throw new UsageError('--kubeconfig is required');
  const onDifference = (difference: string): void => {
    process.stdout.write(`${difference}\n`);
  };
  const report = await usable(() => replay({ file, kubeconfig, ignored, timeoutMs, onDifference }));
  const { requests, events, differences } = report;
  process.stdout.write(`${requests} requests and ${events} events replayed. Differences: ${differences}\n`);
  return differences === 0 ? 0 : differing;
}

/** Files that cannot be used are errors of the user. */
async function usable<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
