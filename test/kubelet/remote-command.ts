import { type Duplex, finished, type Readable, type Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  Channels,
  channelProtocols,
  commandChannels,
  SpdyConnection,
  type SpdyStream,
} from '../../src/streams/index.ts';
import type { Container } from './container.ts';
import { runCommand, type TerminalSize } from './run-command.ts';

export interface CommandRequest {
  readonly container: Container;
  /** Undefined to attach to the process of the container. */
  readonly command: readonly string[] | undefined;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

interface ClientStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  readonly resize: Readable | undefined;
  /** Resolves when the client has disconnected. */
  readonly gone: Promise<unknown>;
}

/**
 * Runs the command or attaches to the container. Resolves with the status for the client, in the format of a kubelet.
 */
async function serve(request: CommandRequest, streams: ClientStreams): Promise<object> {
  try {
    const code = await (request.command === undefined ? attach(request, streams) : execute(request, streams));
    if (code === 0) return { metadata: {}, status: 'Success' };
    return {
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
    };
  } catch (error) {
    const detail = `error executing command in container: ${(error as Error).message}`;
    const message = `Internal error occurred: ${detail}`;
    const details = { causes: [{ message: detail }] };
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', details, code: 500 };
  }
}

async function execute({ command, tty }: CommandRequest, streams: ClientStreams): Promise<number> {
  const running = runCommand(command!, { tty });
  void streams.gone.then(running.kill);
  streams.stdin?.pipe(running.stdin);
  if (streams.stdin === undefined) running.stdin.end();
  streams.resize?.on('data', (text: Buffer) => running.resize(lastSize(text)));
  const passed = [passOutput(running.stdout, streams.stdout), passOutput(running.stderr, streams.stderr)];
  const code = await running.exit;
  await Promise.all(passed);
  return code;
}

/** Resolves when the client has received the whole output. */
function passOutput(output: Readable | undefined, stream: Writable | undefined): Promise<void> | undefined {
  if (stream === undefined) {
    output?.resume();
    return undefined;
  }
  if (output === undefined) return undefined;
  output.pipe(stream, { end: false });
  return new Promise((resolve) => {
    finished(output, () => stream.write('', () => resolve()));
    finished(stream, () => resolve());
  });
}

async function attach({ container }: CommandRequest, streams: ClientStreams): Promise<number> {
  const send = (stream: string, bytes: Buffer): void => {
    (stream === 'Stdout' ? streams.stdout : streams.stderr)?.write(bytes);
  };
  container.on('output', send);
  const { stdin, resize } = streams;
  stdin?.on('data', (bytes: Buffer) => container.command.stdin.write(bytes));
  resize?.on('data', (text: Buffer) => container.command.resize(lastSize(text)));
  const exit = new Promise<number>((resolve) => {
    if (container.exitCode !== undefined) resolve(container.exitCode);
    else container.once('exit', resolve);
  });
  try {
    await Promise.race([exit, streams.gone]);
    // The status of attach does not contain the exit code.
    return 0;
  } finally {
    container.off('output', send);
  }
}

function lastSize(text: Buffer): TerminalSize {
  return JSON.parse(text.toString().trim().split('\n').at(-1)!) as TerminalSize;
}

/** Behaves like the Go implementation, without flow control. */
export function serveSpdyCommand(socket: Duplex, request: CommandRequest): void {
  const names = ['error', ...(['stdin', 'stdout', 'stderr'] as const).filter((name) => request[name])];
  const expected = new Set([...names, ...(request.tty ? ['resize'] : [])]);
  const streams = new Map<string, SpdyStream>();
  const connection = new SpdyConnection(socket, {
    role: 'server',
    onStream: (stream) => {
      stream.reply();
      streams.set(stream.headers.streamtype!, stream);
      expected.delete(stream.headers.streamtype!);
      if (expected.size === 0) void run();
    },
  });
  const run = async (): Promise<void> => {
    const status = await serve(request, {
      stdin: streams.get('stdin'),
      stdout: streams.get('stdout'),
      stderr: streams.get('stderr'),
      resize: streams.get('resize'),
      gone: connection.closed,
    });
    // Some runtimes end a stream, others reset it.
    streams.get('stdout')?.end();
    streams.get('stderr')?.destroy();
    streams.get('error')!.end(JSON.stringify(status), () => connection.close());
  };
}

export function serveWebSocketCommand(
  { webSocket, connection }: { readonly webSocket: WebSocket; readonly connection: Duplex },
  request: CommandRequest,
): void {
  const { stdin, stdout, stderr, error, resize } = commandChannels;
  const inputs = [...(request.stdin ? [stdin] : []), ...(request.tty ? [resize] : [])];
  const protocol = channelProtocols.get(webSocket.protocol) ?? channelProtocols.get('channel.k8s.io')!;
  const channels = new Channels(webSocket, { ...protocol, inputs, connection });
  webSocket.on('error', () => {});
  const gone = new Promise((resolve) => webSocket.once('close', resolve));
  void serve(request, {
    stdin: request.stdin ? channels.input(stdin) : undefined,
    stdout: request.stdout ? channels.output(stdout) : undefined,
    stderr: request.stderr ? channels.output(stderr) : undefined,
    resize: request.tty ? channels.input(resize) : undefined,
    gone,
  }).then((status) => {
    channels.dropInput();
    channels.send(error, Buffer.from(JSON.stringify(status)), () => {});
    webSocket.close(1000);
  });
}
